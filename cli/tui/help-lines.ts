import type { Line } from "./line.ts";

const KEYS: [keys: string, meaning: string][] = [
  ["1 2 3 4  Tab", "the tabs"],
  ["arrows  j k", "up and down; h l across the matrix"],
  ["PgUp PgDn", "a screen at a time (Ctrl-B, Ctrl-F)"],
  ["g G", "the first and the last"],
  ["Enter", "open; a cell of a matrix opens its QSOs"],
  ["Esc  q", "back; q leaves qsolog"],
  ["/  n N", "search, the next hit and the one before"],
  ["r", "reload everything"],
  ["s", "sync with a service"],
  ["b m c u o x", "log: band, mode, QSL, not at, order, reset"],
  ["e d", "log: repair what is shown; duplicates"],
  ["w", "a QSO: who says what, and since when"],
  ["c m w", "awards: confirmed by, mode, what is needed"],
  ["c l x", "job: changes, leftovers, roll back"],
  ["Ctrl-C", "leave at once"],
];

export const HELP: readonly Line[] = KEYS.map(([keys, meaning]) => [[keys.padEnd(14), "title"], meaning]);
