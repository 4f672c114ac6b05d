import type { CountedRow, Row } from "./log-model.ts";
import { AWARDS, type Line, type Picture, type Program } from "./program.ts";

/** A difference between the program and what it should be. */
export class Difference extends Error {}

/** Throws with the lines that differ, a few of them. */
export const assertSame = (what: string, found: unknown, expected: unknown): void => {
  if (Bun.deepEquals(found, expected)) return;
  throw new Difference(`${what}:\n${differenceOf(found, expected)}`);
};

const differenceOf = (found: unknown, expected: unknown): string => {
  if (Array.isArray(found) && found.every((one) => typeof one !== "object"))
    return `  expected  ${JSON.stringify(expected)}\n  found     ${JSON.stringify(found)}`;
  const [a, b] = [linesIn(found), linesIn(expected)];
  const missing = b.filter((line) => !a.includes(line)).slice(0, 12);
  const extra = a.filter((line) => !b.includes(line)).slice(0, 12);
  return [...missing.map((line) => `  expected  ${line}`), ...extra.map((line) => `  found     ${line}`)].join("\n");
};

const linesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.map((one) => JSON.stringify(one));
  if (typeof value === "string") return value.split("\n");
  if (value === null || typeof value !== "object") return [String(value)];
  return Object.entries(value).map(([name, one]) => `${name}: ${JSON.stringify(one)}`);
};

/** The columns of the model from a line of an export. */
export const rowOfLine = (line: Line): Row => ({
  call: line.call,
  startedAt: line.startedAt,
  band: line.band,
  mode: line.mode,
  group: line.modeGroup,
  dxcc: line.dxcc,
  cqZone: line.cqZone,
  prefix: line.prefix,
  state: line.state,
  name: line.name,
  comment: line.comment,
  qth: line.qth,
  atFirst: line.first !== null,
  atSecond: line.second !== null,
  first: line.first?.confirmed ?? false,
  second: line.second?.confirmed ?? false,
  card: line.card.confirmed,
});

const shown = ({ firstState: _, firstZone: __, ...row }: CountedRow): Row => row;
const inOrder = (rows: readonly Row[]): Row[] => {
  const keyOf = (row: Row) => `${row.call} ${row.startedAt} ${row.band} ${row.mode}`;
  return rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
};

/** Log, statistics and awards must be what the model says. */
export const assertAsTheModel = (picture: Picture, rows: readonly CountedRow[]): void => {
  const lines = picture.log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
  assertSame("The log differs from the model", inOrder(lines.map(rowOfLine)), inOrder(rows.map(shown)));
  assertSame("The statistics differ from the model", countedIn(JSON.parse(picture.statistics)), statisticsOf(rows));
  const awards = JSON.parse(picture.awards) as Award[];
  for (const [index, id] of AWARDS.entries()) {
    assertSame(`The award ${id} differs from the model`, slotsIn(awards[index]!), awardOf(id, rows));
  }
};

interface Award {
  slots: { key: string | number; worked: boolean; confirmed: boolean }[];
}

const slotsIn = ({ slots }: Award) => ({
  worked: slots.flatMap(({ key, worked }) => (worked ? String(key) : [])).sort(),
  confirmed: slots.flatMap(({ key, confirmed }) => (confirmed ? String(key) : [])).sort(),
});

const UNITED_STATES = 291;
const WPX_BANDS = ["160m", "40m", "20m", "15m", "6m"];

/** What a contact counts for as worked, and as confirmed by LoTW. A card confirms what was worked. */
const WORTH: Record<(typeof AWARDS)[number], (row: CountedRow) => { worked: unknown; first: unknown }> = {
  dxcc: ({ dxcc }) => ({ worked: dxcc, first: dxcc }),
  was: ({ dxcc, state, firstState }) => ({ worked: dxcc === UNITED_STATES ? state : null, first: firstState }),
  waz: ({ cqZone, firstZone }) => ({ worked: cqZone, first: firstZone }),
  wpx: ({ prefix, band }) => {
    const worked = WPX_BANDS.includes(band) ? prefix : null;
    return { worked, first: worked };
  },
};

const awardOf = (id: (typeof AWARDS)[number], rows: readonly CountedRow[]) => {
  const worked = new Set<string>();
  const confirmed = new Set<string>();
  for (const row of rows) {
    const worth = WORTH[id](row);
    if (worth.worked !== null) worked.add(String(worth.worked));
    if (row.card && worth.worked !== null) confirmed.add(String(worth.worked));
    if (row.first && worth.first !== null) confirmed.add(String(worth.first));
  }
  return { worked: [...worked].sort(), confirmed: [...confirmed].sort() };
};

const statisticsOf = (rows: readonly CountedRow[]) => {
  const count = (is: (row: CountedRow) => boolean) => rows.filter(is).length;
  const kinds = (of: (row: CountedRow) => unknown) => new Set(rows.map(of)).size;
  return {
    total: rows.length,
    entities: kinds(({ dxcc }) => dxcc),
    bands: kinds(({ band }) => band),
    modes: kinds(({ mode }) => mode),
    callsigns: kinds(({ call }) => call),
    confirmation: {
      none: count((row) => !row.first && !row.second && !row.card),
      firstOnly: count((row) => row.first && !row.second),
      secondOnly: count((row) => !row.first && row.second),
      both: count((row) => row.first && row.second),
      cardOnly: count((row) => !row.first && !row.second && row.card),
      first: count((row) => row.first),
      second: count((row) => row.second),
      card: count((row) => row.card),
      any: count((row) => row.first || row.second || row.card),
    },
    byBand: Object.fromEntries([...Map.groupBy(rows, ({ band }) => band)].map(([band, some]) => [band, some.length])),
    firstQsoAt: rows.length === 0 ? null : Math.min(...rows.map(({ startedAt }) => startedAt)),
    lastQsoAt: rows.length === 0 ? null : Math.max(...rows.map(({ startedAt }) => startedAt)),
  };
};

const countedIn = (statistics: Record<string, any>) => {
  const { total, entities, bands, modes, callsigns, confirmation, byBand, firstQsoAt, lastQsoAt } = statistics;
  const ofBands = Object.fromEntries(byBand.map((one: { band: string; total: number }) => [one.band, one.total]));
  return { total, entities, bands, modes, callsigns, confirmation, byBand: ofBands, firstQsoAt, lastQsoAt };
};

/** An export must make the same log when it is imported elsewhere. */
export const assertRoundTrip = async (program: Program, rows: readonly CountedRow[]): Promise<void> => {
  for (const format of ["adi", "adx"]) {
    const copy = await program.imported(await program.exported(`?format=${format}`));
    assertSame(`An export as ${format} makes another log`, inOrder(copy.log.map(rowOfLine)), inOrder(rows.map(shown)));
    for (const [index, id] of AWARDS.entries()) {
      assertSame(`An export as ${format} makes another ${id}`, slotsIn(copy.awards[index]), awardOf(id, rows));
    }
  }
};

/** Names a contact in messages. */
export const describeContact = ({
  call,
  at,
  band,
  mode,
}: {
  call: string;
  at: number;
  band: string;
  mode: string;
}): string => `${call} ${new Date(at).toISOString().slice(0, 19).replace("T", " ")} ${band} ${mode}`;
