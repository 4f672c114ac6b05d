import { expect, test } from "bun:test";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import type { Cell } from "../../src/domain/awards/award.ts";
import { loadInsetMap, loadWorldMap } from "../../views/charts/areas.ts";
import { EntityLegend, EntityMap } from "../../views/charts/entity-map.tsx";
import { frameSquares, GridMap, placeInFrame } from "../../views/charts/grid-map.tsx";
import { loadLandOutline, xOf, yOf } from "../../views/charts/land.ts";

const facts = await loadCallFacts("/nowhere");

/** The bounds of a path of absolute starts and relative steps. */
const extentOf = (path: string): [west: number, east: number, north: number, south: number] => {
  const [xs, ys]: [number[], number[]] = [[], []];
  for (const ring of path.split("M").slice(1)) {
    const [x = 0, y = 0, ...steps] = ring.match(/-?\d+/g)!.map(Number);
    let [east, south] = [x, y];
    xs.push(x);
    ys.push(y);
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
  const props = { cells, places: facts.places() };

  const map = String(
    EntityMap({ ...props, id: "map", title: "Gaps", map: await loadWorldMap(20), home: { lat: 44.8, lon: 20.5 } }),
  );
  const legend = String(EntityLegend(props));

  expect(map).toContain('role="img" tabindex="0" aria-label="Gaps" data-table="map-table"');
  const [confirmed, worked] = [/class="area-confirmed">(.*?)<\/g>/s, /class="area-worked">(.*?)<\/g>/s].map(
    (state) => state.exec(map)![1]!,
  );
  expect([confirmed, worked].map((group) => group!.match(/data-key="\d+"/g))).toEqual([
    ['data-key="291"'],
    ['data-key="230"'],
  ]);
  const keys = map.match(/data-key="\d+"/g)!;
  expect(new Set(keys).size).toBeGreaterThan(335);
  expect(keys.length).toBe(new Set(keys).size);
  expect(map).toContain('class="home"');
  expect(legend).toMatch(/confirmed 1<.*worked, waiting 1<.*not worked 338</s);
  expect(Bun.gzipSync(map).length).toBeLessThan(25_000);
});

test("the Pacific is in one piece for a station there", async () => {
  const [atHome, inAfrica] = [await loadWorldMap(172), await loadWorldMap(0)];
  const across = (map: typeof atHome) => {
    const [west, east] = [map.locate({ lat: -18, lon: 178 })!, map.locate({ lat: -14, lon: -171 })!];
    return east[0] - west[0];
  };

  expect(across(atHome)).toBeWithin(10, 80);
  expect(across(inAfrica)).toBeLessThan(-900);
});

test("each area is at its entity's position, on every map", async () => {
  for (const [least, map] of [
    [170, await loadWorldMap(20)],
    [45, await loadInsetMap("europe")],
    [10, await loadInsetMap("caribbean")],
  ] as const) {
    const far: string[] = [];
    for (const { dxcc, name, lat, lon } of facts.places()) {
      const [area, at] = [map.areas.get(dxcc), map.locate({ lat, lon })];
      if (area === undefined || at === null) continue;
      const [west, east, north, south] = extentOf(area);
      const [x, y] = at;
      if (!(x > west - 25 && x < east + 25 && y > north - 25 && y < south + 25)) far.push(`${name} at ${at}`);
    }

    expect(map.areas.size).toBeGreaterThan(least);
    expect(far).toEqual([]);
  }
});

test("the map of squares shows the fields of most of them, and says how many are outside", () => {
  const near = Array.from({ length: 19 }, (_, at) => `JN${String(at + 10)}`);
  const cells = new Map<string, Cell>([...near, "RF73", "KN04"].map((name) => [name, "worked"]));
  cells.set("JN10", "confirmed");
  const frame = frameSquares(cells);
  const map = String(GridMap({ id: "map", title: "Squares", frame, land: "", home: { lat: 44.8, lon: 18.5 } }));

  expect(frame.hidden).toBe(2);
  expect(frame.shown.map(({ name }) => name)).not.toContain("RF73");
  expect(map.match(/class="square-worked" d="([^"]*)"/)![1]!.match(/M/g)).toHaveLength(18);
  expect(map.match(/class="square-confirmed" d="([^"]*)"/)![1]!.match(/M/g)).toHaveLength(1);
  expect([...map.matchAll(/class="field-name"[^>]*>([A-R]{2})</g)].map(([, field]) => field)).toEqual(["JN"]);
  const [x] = placeInFrame(frame, frame.shown[0]!).split(" ").map(Number);
  expect(x).toBeWithin(0, 1_140);
  expect(map).toContain('class="home"');
});
