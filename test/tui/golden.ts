import { expect } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Tui } from "./tui.ts";

const FOLDER = join(import.meta.dir, "golden");
const A_FRAME_MS = 300;

/** Compares with the golden file. QSOLOG_UPDATE_GOLDEN=1 writes it again. */
export const expectGolden = (name: string, lines: string): void => {
  const file = join(FOLDER, `${name}.txt`);
  if (process.env.QSOLOG_UPDATE_GOLDEN) {
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, `${lines}\n`);
  }
  expect(existsSync(file)).toBe(true);
  expect(`${lines}\n`).toBe(readFileSync(file, "utf8"));
};

/** Waits for these words and compares the screen. */
export const expectScreen = async (tui: Tui, name: string, words: string): Promise<void> => {
  await tui.sees(words);
  const file = join(FOLDER, `${name}.txt`);
  if (process.env.QSOLOG_UPDATE_GOLDEN) await Bun.sleep(A_FRAME_MS);
  else if (existsSync(file)) {
    const captured = readFileSync(file, "utf8");
    await tui.comesTo((screen) => `${screen}\n` === captured);
  }
  expectGolden(name, tui.screen());
};
