/** Processor time of the server for pages of a log: for each list, the most expensive page. */
import type { Figure } from "./figure.ts";
import type { Bench } from "./log.ts";
import type { Program, Server } from "./program.ts";
import { afterChanges } from "./rounds.ts";

const ROUNDS = 3;

type List = Readonly<Record<string, string>>;

/** Every filter, every order, combinations, and searches from common to absent letters. */
export const PAGES: readonly List[] = [
  {},
  { sort: "startedAt" },
  { from: "2020-01-01", to: "2020-12-31" },
  { from: "2001-03-05", to: "2024-07-09" },
  { band: "20m" },
  { station: "YU1TEST/P" },
  { station: "YU1TEST", band: "20m", sort: "startedAt" },
  { mode: "CW" },
  { group: "digital" },
  { confirmation: "any" },
  { band: "20m", mode: "CW", confirmation: "none" },
  { dxcc: "1" },
  { state: "CA" },
  { state: "CA,NY", band: "40m", sort: "-call" },
  { contest: "CQ-WW-CW" },
  { hour: "3,4" },
  { hour: "14", sort: "-dxcc" },
  { at: "first" },
  { notAt: "first,second", sort: "startedAt" },
  { ownGrid: "KN04" },
  { ownDxcc: "296", sort: "mode" },
  { call: "K1*" },
  { call: "*1A*" },
  { call: "*A", mode: "CW", sort: "call" },
  { sort: "call" },
  { sort: "-call", mode: "CW" },
  { sort: "call", from: "2001-03-05", to: "2024-07-09", group: "digital" },
  { sort: "dxcc" },
  { sort: "band" },
  { sort: "mode" },
  { sort: "-band", mode: "CW", confirmation: "none" },
  { sort: "updatedAt" },
  { sort: "-updatedAt", state: "CA" },
  ...["a", "1", "z", "1a", "an", "qz", "1ab", "ann", "number 77", "dl1a", "nobody has this"].map((q) => ({ q })),
  { q: "a", sort: "call" },
  { q: "n", sort: "-updatedAt" },
  { q: "1", band: "20m", mode: "CW", sort: "-dxcc" },
  { q: "dl1a", band: "20m" },
  { q: "e", from: "2001-03-05", to: "2024-07-09", sort: "startedAt" },
  { q: "7", call: "*1A*", sort: "mode" },
];

interface Page {
  nextCursor: string | null;
  previousCursor: string | null;
}

export default async (bench: Bench, program: Program): Promise<Figure[]> => {
  const server = await (await bench.logOf(program)).serve();
  try {
    // Warm up, otherwise the first lists would include compilation.
    for (const list of PAGES) await server.ask(pathOf(list));
    const figures: Figure[] = [];
    for (const list of PAGES) figures.push(await mostExpensive(server, list));
    return figures;
  } finally {
    await server.stop();
  }
};

const mostExpensive = async (server: Server, list: List): Promise<Figure> => {
  const cost = (path: string) => afterChanges(server, ROUNDS, () => server.ask(path));
  const pages: number[] = [];
  pages.push(await cost(pathOf(list)));
  // The last page is the first page of the opposite order.
  pages.push(await cost(pathOf({ ...list, sort: opposite(list.sort ?? "-startedAt") })));
  const { nextCursor } = await server.json<Page>(pathOf(list));
  if (nextCursor !== null) {
    const next = pathOf({ ...list, cursor: nextCursor });
    pages.push(await cost(next));
    const { previousCursor } = await server.json<Page>(next);
    pages.push(await cost(pathOf({ ...list, before: previousCursor! })));
  }
  return { name: JSON.stringify(list).replaceAll('"', ""), value: Math.max(...pages), limit: "list" };
};

const opposite = (sort: string): string => (sort.startsWith("-") ? sort.slice(1) : `-${sort}`);

const pathOf = (list: List): string => `/api/qsos?${new URLSearchParams(list)}`;
