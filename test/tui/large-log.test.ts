import { test } from "bun:test";
import { isFull } from "../support/full.ts";
import { storeLog } from "../support/log-generator.ts";
import { aCommandLine } from "../cli/services.ts";
import { aTui } from "./tui.ts";

const IS_FULL = isFull(import.meta);
const BETWEEN_KEYS_MS = 150;

test.if(IS_FULL)(
  "in a log of 100,000 every key reaches the screen, and both ends are close",
  async () => {
    const line = await aCommandLine();
    await storeLog(line.world.db, line.bob.id, { contacts: 100_000 });
    await line.world.db.analyze();
    const tui = aTui(line);
    await tui.sees("100,000 QSOs");

    tui.type("2");
    await tui.sees("1 of 100,000");
    tui.type("G");
    await tui.sees("100,000 of 100,000");
    tui.type("/");
    const echoes: number[] = [];
    for (const typed of ["k", "k1", "k1a", "k1ab", "k1abz", "k1abzz"]) {
      const began = performance.now();
      tui.type(typed.at(-1)!);
      await tui.sees(`/ ${typed} `);
      echoes.push(performance.now() - began);
      await Bun.sleep(BETWEEN_KEYS_MS);
    }
    await tui.sees("No matching QSOs");

    console.log(`echo of a key: ${echoes.map(Math.round).join(", ")} ms`);
  },
  120_000,
);
