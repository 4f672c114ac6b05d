import { describe, expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BLOCK, fillSpool, removeStaleSpools } from "../../src/providers/spool.ts";
import { aDirectory } from "../support/directory.ts";
import { testRandom } from "../support/world.ts";

const random = testRandom();

const into = (spoolDir: string) => ({ spoolDir, random });

const bytes = (length: number) => Uint8Array.from({ length }, (_, index) => index % 251);

describe("a downloaded file", () => {
  test("returns what was written, from any position and in blocks", async () => {
    const all = bytes(2 * BLOCK + 10);
    const { spool } = await fillSpool(into(aDirectory()), async (fresh) => fresh.write(all));

    const pieces = Array.from(spool.read(100, all.length - 1), (block) => Buffer.from(block));
    spool.remove();

    expect(Buffer.concat(pieces).equals(all.subarray(100, -1))).toBeTrue();
    expect(pieces.map(({ length }) => length)).toEqual([BLOCK, BLOCK - 91]);
  });

  test("creates its folder, private to its owner", async () => {
    const dir = join(aDirectory(), "data", "spool");
    const { spool } = await fillSpool(into(dir), async () => {});

    expect([statSync(dir).mode & 0o777, statSync(spool.path).mode & 0o777]).toEqual([0o700, 0o600]);
    spool.remove();
  });

  test("is removed if it could not be filled", async () => {
    const dir = aDirectory();

    const outcome = await fillSpool(into(dir), () => Promise.reject(new Error("cut off"))).catch(
      (error: Error) => error.message,
    );

    expect(outcome).toBe("cut off");
    expect(readdirSync(dir)).toEqual([]);
  });

  test("can be removed twice", async () => {
    const { spool } = await fillSpool(into(aDirectory()), async () => {});

    spool.remove();
    spool.remove();

    expect(() => [...spool.read(0, 1)]).toThrow("has disappeared");
  });
});

describe("removing old downloads", () => {
  test("removes downloads and nothing else", async () => {
    const dir = aDirectory();
    writeFileSync(join(dir, "qsolog.db"), "");
    writeFileSync(join(dir, "spool-of-thread"), "");
    const left = [await fillSpool(into(dir), async () => {}), await fillSpool(into(dir), async () => {})];

    expect(removeStaleSpools(dir)).toBe(2);
    for (const { spool } of left) spool.remove();
    expect(readdirSync(dir).toSorted()).toEqual(["qsolog.db", "spool-of-thread"]);
  });

  test("does nothing if the folder does not exist", () => {
    expect(removeStaleSpools(join(aDirectory(), "none"))).toBe(0);
  });
});
