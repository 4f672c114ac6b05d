import type { Line } from "./line.ts";

const KEYS: [keys: string, meaning: string][] = [
  ["1 to 5  Tab", "the tabs"],
  ["arrows  j k", "move up and down; h l left, right and between figures"],
  ["PgUp PgDn", "one page up or down (Ctrl-B, Ctrl-F)"],
  ["g G", "first and last"],
  ["Enter", "open; in a matrix: the QSOs of the cell"],
  ["Esc  q", "back; q quits"],
  ["/  n N", "search; next and previous match"],
  ["Ctrl-K", "run a command by name"],
  ["n a  s  r", "new QSO; sync with a service; reload"],
  ["f", "log: filter by year, entity, station callsign …"],
  ["b m c u o x", "log: band, mode, QSL, not at, order, reset"],
  ["e d y w", "log: bulk edit (open QSO: edit), duplicates, copy, sources"],
  ["R", "log: compare with both services"],
  ["c m w", "awards: confirmed by, mode, needed"],
  ["c l v x", "job: next part, unresolved, fields, roll back"],
  ["t S", "job: resolve a record; stop the job"],
  ["Ctrl-C", "quit immediately"],
];

export const HELP: readonly Line[] = KEYS.map(([keys, meaning]) => [[keys.padEnd(14), "title"], meaning]);
