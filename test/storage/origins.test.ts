import { expect, test } from "bun:test";
import { ORIGIN_ROWS } from "../../src/domain/origins/bits.ts";
import { migrate } from "../../src/storage/engine/migrate.ts";
import { many, run } from "../../src/storage/engine/unit.ts";
import { NOON, testWorld, type TestWorld } from "../support/world.ts";

const originsIn = ({ db }: TestWorld) => db.read(() => many`SELECT id, bit, name FROM origins ORDER BY id`);

test("the table has the origins that the program knows, each with its own bit", async () => {
  const world = await testWorld();

  expect(await originsIn(world)).toEqual(ORIGIN_ROWS);
  expect(ORIGIN_ROWS.map(({ bit }) => bit)).toEqual(ORIGIN_ROWS.map(({ id }) => 2 ** (id - 1)));
});

test("a bit never changes its origin", () => {
  const names = ORIGIN_ROWS.slice(0, 5).map(({ bit, name }) => [bit, name]);

  expect(names).toEqual([
    [1, "own"],
    [2, "file"],
    [4, "feed"],
    [8, "first"],
    [16, "second"],
  ]);
});

test("the next start adds a missing origin, corrects a wrong one, and leaves the rest", async () => {
  const world = await testWorld();
  await world.db.write(() => run`DELETE FROM origins WHERE name = 'feed'`);
  await world.db.write(() => run`UPDATE origins SET name = 'old name' WHERE id = 4`);
  await world.db.write(() => run`INSERT INTO origins (id, bit, name) VALUES (40, 1024, 'of a newer program')`);

  expect(await migrate(world.db, NOON)).toEqual([]);

  expect(await originsIn(world)).toEqual([...ORIGIN_ROWS, { id: 40, bit: 1_024, name: "of a newer program" }]);
});
