import type { Line } from "./text-input.ts";

const KEYS: [keys: string, meaning: string][] = [
  ["1 to 5  Tab", "the tabs"],
  ["arrows  j k", "up and down; h l across, and to other figures"],
  ["PgUp PgDn", "a screen at a time (Ctrl-B, Ctrl-F)"],
  ["g G", "the first and the last"],
  ["Enter", "open; a cell of a matrix opens its QSOs"],
  ["Esc  q", "back; q leaves qsolog"],
  ["/  n N", "search, the next hit and the one before"],
  ["Ctrl-K", "any command by its name"],
  ["n a  s  r", "new QSO; sync with a service; reload"],
  ["f", "log: only a year, an entity, an own callsign …"],
  ["b m c u o x", "log: band, mode, QSL, not at, order, reset"],
  ["e d y w", "log: repair (open: correct), duplicates, copy, why"],
  ["R", "log: reconcile it with both services"],
  ["c m w", "awards: confirmed by, mode, what is needed"],
  ["c l v x", "job: parts, left over, fields, roll back"],
  ["t S", "job: settle a record left over; stop the job"],
  ["Ctrl-C", "leave at once"],
];

export const HELP: readonly Line[] = KEYS.map(([keys, meaning]) => [[keys.padEnd(14), "title"], meaning]);
