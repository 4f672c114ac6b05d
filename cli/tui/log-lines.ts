import { grouped } from "../../src/domain/figures.ts";
import type { Labels } from "../../src/domain/source.ts";
import { utc } from "../../src/domain/moments.ts";
import type { Cursor } from "./cursor.ts";
import { cell, chosen, exactly, type Line, type Size, type Span } from "./line.ts";
import type { QsoRow, QsoWindow } from "./qso-window.ts";

export interface LogFilter {
  text: string;
  band: string | null;
  group: string | null;
  confirmation: string | null;
  sort: string;
  /** What another screen wants to see. */
  only: Record<string, string>;
}

export const NO_FILTER: LogFilter = {
  text: "",
  band: null,
  group: null,
  confirmation: null,
  sort: "-startedAt",
  only: {},
};

export interface LogData {
  filter: LogFilter;
  isTyping: boolean;
  /** True where what is shown does not yet follow what was typed. */
  isSearching: boolean;
  window: Pick<QsoWindow, "total" | "rowAt"> | null;
  cursor: Cursor;
  labels: Labels;
}

export const LOG_HEAD = 3;

const SORTS: Record<string, string> = { "-startedAt": "newest first", startedAt: "oldest first", call: "by call" };
const CONFIRMATIONS: Record<string, string> = { any: "confirmed", none: "not confirmed" };

/** The filters, and the part of the log that is in sight. */
export const logLines = (data: LogData, size: Size): Line[] => {
  const { window, cursor, labels } = data;
  const nameWidth = Math.max(6, Math.floor((size.width - 58) * 0.45));
  const entityWidth = Math.max(6, size.width - 58 - nameWidth);
  const rows = exactly([], size.height - LOG_HEAD).map((_, index): Line => {
    const at = cursor.top + index;
    if (!window || at >= window.total) return [];
    const row = window.rowAt(at);
    const line = row ? qsoLine(row, labels, nameWidth, entityWidth) : [["   …", "quiet"] as const];
    return at === cursor.at ? chosen([">", ...line], size.width) : [" ", ...line];
  });
  if (window?.total === 0)
    rows[1] = [["   No matching QSOs. Esc clears the search, x shows all bands, modes and QSLs.", "quiet"]];
  return [searchLine(data, size.width), filterLine(data.filter, labels), titles(nameWidth), ...rows];
};

const searchLine = ({ filter, isTyping, isSearching, window, cursor }: LogData, width: number): Line => {
  const count =
    window === null ? "…" : `${window.total === 0 ? 0 : grouped(cursor.at + 1)} of ${grouped(window.total)}`;
  const right = ` ${isSearching ? "searching … " : ""}${count} `;
  const room = width - right.length;
  const typed = [...filter.text].slice(-(room - 6)).join("");
  const left: Span[] = isTyping
    ? [" ", ["/", "title"], " ", typed, [" ", "chosen"]]
    : [
        " ",
        ["/", "title"],
        " ",
        filter.text === "" ? (["search call, name, QTH, comment, grid", "quiet"] as const) : typed,
      ];
  const used = isTyping
    ? 4 + Bun.stringWidth(typed)
    : 3 + Bun.stringWidth(filter.text === "" ? "search call, name, QTH, comment, grid" : typed);
  return [...left, " ".repeat(Math.max(0, room - used)), right];
};

const filterLine = ({ band, group, confirmation, sort, only }: LogFilter, labels: Labels): Line => {
  const confirmed =
    confirmation === null ? "all" : (CONFIRMATIONS[confirmation] ?? `by ${labels[confirmation as "first" | "second"]}`);
  const setting = (key: string, name: string, value: string, isSet: boolean): Span[] => [
    [key, "title"],
    ` ${name}`,
    [value, isSet ? "live" : "quiet"],
    "  ",
  ];
  return [
    " ",
    ...setting("b", "band ", band ?? "all", band !== null),
    ...setting("m", "mode ", group ?? "all", group !== null),
    ...setting("c", "QSL ", confirmed, confirmation !== null),
    ...setting("o", "", SORTS[sort]!, sort !== NO_FILTER.sort),
    ...Object.entries(only).map(([name, value]): Span => [`${name} ${value}  `, "live"]),
    ...(isNarrowed({ band, group, confirmation, only }) ? [["x", "title"] as const, " all"] : []),
  ];
};

const isNarrowed = ({ band, group, confirmation, only }: Omit<LogFilter, "text" | "sort">): boolean =>
  band !== null || group !== null || confirmation !== null || Object.keys(only).length > 0;

const titles = (nameWidth: number): Line => [
  [` TIME (UTC)       CALL         BAND  MODE    QSL         ${cell("NAME", nameWidth)} ENTITY`, "title"],
];

const qsoLine = (row: QsoRow, labels: Labels, nameWidth: number, entityWidth: number): Line => [
  `${utc(row.startedAt)} `,
  cell(row.call, 12),
  ` ${cell(row.band, 5)} ${cell(row.submode ?? row.mode, 7)} `,
  confirmationOf(row, labels),
  ` ${cell(row.name, nameWidth)} ${cell(row.entity, entityWidth)}`,
];

const confirmationOf = ({ first, second, card }: QsoRow, labels: Labels): Span => {
  const by = [
    ...(first ? [labels.first.slice(0, 4)] : []),
    ...(second ? [labels.second.slice(0, 3)] : []),
    ...(card ? ["card"] : []),
  ];
  return by.length === 0 ? [cell("W", 11), "worked"] : [cell(`C ${by.join("+")}`, 11), "confirmed"];
};
