import { LABELS } from "../../../src/domain/origins/labels.ts";
import { formatNumber } from "../../../src/kernel/number-text.ts";
import type { Service } from "../../../src/domain/jobs/source.ts";
import type { Cursor } from "../cursor.ts";
import { nameKey, renderKey, renderProblem, type Context } from "../context.ts";
import { CARET, invertLine, fitHeight, fitLine, type Line, type Size, type Span } from "../line.ts";
import { renderQso, renderQsoTitles } from "./qso-lines.ts";
import { STATE_TONES } from "./qso-view.ts";
import type { Selection } from "./selection.ts";
import type { QsoRow, QsoWindow } from "./qso-window.ts";

export interface LogFilter {
  text: string;
  band: string | null;
  group: string | null;
  confirmation: string | null;
  /** The service that does not have the contacts. */
  notAt: string | null;
  sort: string;
  /** Filters from another screen. */
  only: Record<string, string>;
}

export const NO_FILTER: LogFilter = {
  text: "",
  band: null,
  group: null,
  confirmation: null,
  notAt: null,
  sort: "-startedAt",
  only: {},
};

interface LogData extends Pick<Context, "isPlain" | "hasLetterKeys"> {
  selected: Selection;
  filter: LogFilter;
  isTyping: boolean;
  /** True while the list does not match the typed search yet. */
  isSearching: boolean;
  window: Pick<QsoWindow, "total" | "getRow"> | null;
  cursor: Cursor;
  /** An error shown instead of the list. */
  problem: string | null;
}

export const LOG_HEAD = 3;
/** The state of the chosen contact below the list, where there is no pane for it. */
export const VERDICT_LINES = 1;

const WHAT_TO_TYPE = "20m ft8 dxcc:japan 2024 k1*, or any text";

const SORTS: Record<string, string> = { "-startedAt": "newest first", startedAt: "oldest first", call: "by call" };
const CONFIRMATIONS: Record<string, string> = { any: "confirmed", none: "not confirmed", card: "by card" };

/** The filters and the visible part of the log; with the verdict on the chosen contact in the last line. */
export const renderLog = (data: LogData, size: Size, hasVerdict: boolean): Line[] => {
  const { window, cursor, problem, isPlain, selected } = data;
  const head = [renderSearch(data, size.width), renderFilters(data)];
  if (problem !== null) return fitHeight([...head, ...renderProblem(problem, size)], size.height);
  const rows = fitHeight([], size.height - LOG_HEAD - (hasVerdict ? VERDICT_LINES : 0)).map((_, index): Line => {
    const at = cursor.top + index;
    if (!window || at >= window.total) return [];
    const row = window.getRow(at);
    const line = row ? renderQso(row, size.width, isPlain) : [["   …", "quiet"] as const];
    const isHere = at === cursor.at;
    const isSelected = row !== null && selected.has(row.id);
    const marked = [formatMarker(isHere, isSelected, isPlain), ...line];
    return isHere ? invertLine(marked, size.width) : marked;
  });
  if (window?.total === 0) rows[1] = [[`   ${describeNothing(data)}`, "quiet"]];
  const verdict = hasVerdict ? [renderVerdict(window?.getRow(cursor.at) ?? null)] : [];
  return [...head, renderQsoTitles(size.width, isPlain), ...rows, ...verdict];
};

const describeNothing = (data: LogData): string =>
  data.filter.text === "" && !isNarrowed(data.filter)
    ? `The log is empty. Press ${nameKey("n", data)} to enter a QSO.`
    : `No matching QSOs. Esc clears the search, ${nameKey("F", data)} clears the filters.`;

/** The cursor is also inverse, so that the sign of a selected row can replace its own. */
const formatMarker = (isHere: boolean, isSelected: boolean, isPlain: boolean): string => {
  const cursor = isHere ? ">" : " ";
  if (!isSelected) return cursor;
  return isPlain ? `${cursor}selected ` : "✓";
};

const renderVerdict = (row: QsoRow | null): Line =>
  row === null
    ? []
    : [
        [` ${row.call}: `, "title"],
        [[row.state.verdict, ...row.state.details].join(" "), STATE_TONES[row.state.kind]],
      ];

const renderSearch = (
  { selected, filter, isTyping, isSearching, window, cursor, problem, hasLetterKeys }: LogData,
  width: number,
): Line => {
  const count =
    problem !== null
      ? ""
      : window === null
        ? "…"
        : `${window.total === 0 ? 0 : formatNumber(cursor.at + 1)} of ${formatNumber(window.total)}`;
  const chosen = selected.size === 0 ? "" : `${selected.size} selected   `;
  const right = ` ${chosen}${isSearching ? "searching … " : ""}${count} `;
  const room = width - right.length;
  const typed = Bun.sliceAnsi(filter.text, 6 - room);
  const head: Line = [" ", ...renderKey("/", isTyping || hasLetterKeys)];
  const left: Span[] = isTyping
    ? [...head, typed, CARET]
    : [...head, filter.text === "" ? ([WHAT_TO_TYPE, "quiet"] as const) : typed];
  return [...fitLine(left, room), right];
};

const renderFilters = ({ filter, hasLetterKeys }: LogData): Line => {
  const { band, group, confirmation, notAt, sort, only } = filter;
  const confirmed =
    confirmation === null ? "all" : (CONFIRMATIONS[confirmation] ?? `by ${LABELS[confirmation as "first" | "second"]}`);
  const renderSetting = (key: string, name: string, value: string, isSet: boolean): Span[] => [
    ...renderKey(key, hasLetterKeys),
    name,
    [value, isSet ? "live" : "quiet"],
    "  ",
  ];
  return [
    " ",
    ...renderSetting("b", "band ", band ?? "all", band !== null),
    ...renderSetting("m", "mode ", group ?? "all", group !== null),
    ...renderSetting("c", "QSL ", confirmed, confirmation !== null),
    ...renderSetting("u", "", notAt === null ? "anywhere" : `not on ${LABELS[notAt as Service]}`, notAt !== null),
    ...renderSetting("o", "", SORTS[sort]!, sort !== NO_FILTER.sort),
    ...Object.entries(only).map(([name, value]): Span => [`${name === "asOf" ? "as of" : name} ${value}  `, "live"]),
    ...(isNarrowed(filter) && hasLetterKeys ? [...renderKey("F", hasLetterKeys), "all"] : []),
  ];
};

export const isNarrowed = ({ only, band, group, confirmation, notAt }: Omit<LogFilter, "text" | "sort">): boolean =>
  [band, group, confirmation, notAt].some((value) => value !== null) || Object.keys(only).length > 0;
