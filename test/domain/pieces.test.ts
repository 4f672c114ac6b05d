import { expect, test } from "bun:test";
import { release } from "../../src/domain/pieces.ts";

test("the memory of a piece that was read is given back", () => {
  const piece = new Uint8Array(1_000);
  release(piece);
  expect([piece.byteLength, (piece.buffer as ArrayBuffer).detached]).toEqual([0, true]);
});

test("memory that a piece shares with others stays", () => {
  const whole = new Uint8Array([1, 2, 3, 4]);
  release(whole.subarray(0, 3));
  release(whole.subarray(1));
  expect([...whole]).toEqual([1, 2, 3, 4]);
  const shared = new Uint8Array(new SharedArrayBuffer(4));
  release(shared);
  expect(shared.byteLength).toBe(4);
});
