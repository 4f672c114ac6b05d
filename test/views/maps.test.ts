import { expect, test } from "bun:test";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import type { Cell } from "../../src/domain/awards/award.ts";
import { loadEntityAreas } from "../../views/charts/areas.ts";
import { EntityMap } from "../../views/charts/entity-map.tsx";
import { GridMap } from "../../views/charts/grid-map.tsx";
import { loadLandOutline, xOf, yOf } from "../../views/charts/land.ts";

const facts = await loadCallFacts("/nowhere");

/** The bounds of a path of absolute starts and relative steps. */
const extentOf = (path: string): [west: number, east: number, north: number, south: number] => {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const ring of path.split("M").slice(1)) {
    const [x = 0, y = 0, ...steps] = ring.match(/-?\d+/g)!.map(Number);
    let [east, south] = [x, y];
    for (let at = 0; at < steps.length; at += 2) {
      xs.push((east += steps[at]!));
      ys.push((south += steps[at + 1]!));
    }
  }
  return [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
};

test("the land covers the world between the date lines and is small", async () => {
  const land = await loadLandOutline();

  const [west, east, north, south] = extentOf(land);
  expect([west, east, south]).toEqual([xOf(-180), xOf(180), yOf(-90)]);
  expect(north).toBeWithin(yOf(85), yOf(82));
  expect(Bun.gzipSync(land).length).toBeLessThan(8_000);
});

test("the entity map shows the state of each entity and their numbers", async () => {
  const cells = new Map<string, Cell>([
    ["291", "confirmed"],
    ["230", "worked"],
    // East Germany is deleted.
    ["229", "confirmed"],
  ]);

  const map = String(
    EntityMap({
      cells,
      areas: await loadEntityAreas(),
      places: facts.places(),
      home: { lat: 44.8, lon: 20.5 },
      toLog: (dxcc) => `log?dxcc=${dxcc}`,
    }),
  );

  expect(map).toContain('aria-label="Map of entities: 1 confirmed; 1 worked, not confirmed; 338 not worked"');
  expect(map).toContain("<title>United States: confirmed</title>");
  expect(map).toContain("<title>Germany: worked, not confirmed</title>");
  expect(map).toContain("<title>Japan: not worked</title>");
  expect(map.match(/<path /g)).toHaveLength(1 + 340);
  expect(map).toContain('<a href="log?dxcc=230">');
  expect(map.match(/class="area"/g)!.length).toBeGreaterThan(180);
  expect(map).toContain('class="home"');
});

test("on a phone a world map of squares starts at home, and one of a continent fits", () => {
  const home = { lat: 44.8, lon: 20.5 };
  const mapOf = (...names: string[]) =>
    String(GridMap({ cells: new Map(names.map((name) => [name, "worked"])), land: "", home, toLog: (name) => name }));

  const world = mapOf("FN42", "JN61", "PM95");
  expect(world).toContain("wide-map");
  // From 80 degrees west to 180 degrees east, less half a phone.
  expect(world).toMatch(/class="home-line"[^>]*><svg width="(1[0-9]|2[0-9])%"/);
  const continent = mapOf("JN61", "KN04");
  expect(continent).not.toContain("wide-map");
  expect(continent).not.toContain("home-line");
  for (const map of [world, continent]) expect(map).toContain('class="home"');
});

test("each area is at its entity's position", async () => {
  const areas = await loadEntityAreas();
  const far: string[] = [];
  for (const { dxcc, name, lat, lon } of facts.places()) {
    const area = areas.get(dxcc);
    if (area === undefined) continue;
    const [west, east, north, south] = extentOf(area);
    const isNear = xOf(lon) > west - 40 && xOf(lon) < east + 40 && yOf(lat) > north - 40 && yOf(lat) < south + 40;
    if (!isNear) far.push(`${name}: ${[west, east, north, south]} and ${[xOf(lon), yOf(lat)]}`);
  }

  expect(areas.size).toBeGreaterThan(180);
  expect(far).toEqual([]);
});
