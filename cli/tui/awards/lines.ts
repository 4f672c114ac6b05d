import {
  SAT,
  WITNESSES,
  describeModeUnknown,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type Cell,
  type Progress,
  type Slot,
  type SlotName,
} from "../../../src/domain/awards/award.ts";
import { describeWitness } from "../../../src/domain/awards/award-words.ts";
import { formatNumber } from "../../../src/kernel/number-text.ts";
import type { FilterParameters, NeededDocument } from "../../../src/logbook/contract.ts";
import { MODE_GROUPS } from "../../../src/domain/radio/mode.ts";
import { ALASKA, HAWAII, USA } from "../../../src/domain/radio/us-states.ts";
import { shortenBand } from "../../words.ts";
import { keepInSight, moveCursor, type Cursor } from "../cursor.ts";
import { formatCell } from "../../table.ts";
import { drawBar, fitHeight, fitLine, renderRow, type Line, type Size, type Span } from "../line.ts";
import type { Move } from "../keymap.ts";

export const LIST_HEAD = 1;

/** The progress of every award. */
export const renderAwardList = (awards: readonly Progress[], cursor: Cursor, size: Size, isPlain: boolean): Line[] => {
  const barWidth = isPlain ? 6 : Math.max(10, Math.min(40, size.width - 62));
  const titles = ` ${formatCell("AWARD", 22)} ${formatCell("CONFIRMED OF GOAL", barWidth + 12)}  WORKED  CREDITED   NEXT`;
  const rows = awards.slice(cursor.top, cursor.top + size.height - LIST_HEAD).map((award, index): Line => {
    const { label, confirmed, worked, credited, goal, next } = award;
    const line: Line = [
      `${formatCell(label, 22)} `,
      [goal === null || isPlain ? " ".repeat(barWidth) : drawBar(confirmed / goal, barWidth), "confirmed"],
      formatCell(`${formatNumber(confirmed)}${goal === null ? "" : `/${formatNumber(goal)}`}`, 12, "right"),
      ["  ", "worked"],
      [formatCell(formatNumber(worked), 6, "right"), "worked"],
      formatCell(formatNumber(credited), 10, "right"),
      formatCell(next === null ? "" : formatNumber(next), 7, "right"),
    ];
    return renderRow(line, cursor.top + index === cursor.at, size.width);
  });
  return fitHeight([[[titles, "title"]], ...rows], size.height);
};

export interface Place {
  row: number;
  column: number;
  top: number;
  left: number;
}

const MATRIX_HEAD = 2;
const MATRIX_FOOT = 3;
const MIN_LABEL_WIDTH = 22;
const CELL_WIDTH = 5;
const LEGEND_WIDTH = 70;

/** Shortens names only if otherwise not all bands would be visible. */
const fitColumns = ({ rows, bands }: AwardMatrix, width: number): { labelWidth: number; count: number } => {
  const longest = Math.max(...rows.map(({ label }) => Bun.stringWidth(label)), 0) + 3;
  const room = width - 2 - (bands.length + 1) * CELL_WIDTH;
  const labelWidth = Math.max(MIN_LABEL_WIDTH, Math.min(longest, room));
  const fitting = Math.floor((width - labelWidth - 2) / CELL_WIDTH);
  return { labelWidth, count: Math.max(1, Math.min(bands.length + 1, fitting)) };
};

/** The columns that the whole matrix takes, at most all. */
export const getMatrixWidth = (matrix: AwardMatrix, width: number): number => {
  const { labelWidth, count } = fitColumns(matrix, width);
  return Math.min(width, Math.max(labelWidth + count * CELL_WIDTH, LEGEND_WIDTH) + 2);
};

/** The position in the matrix and the part of the matrix that is visible. */
export const keepPlaceInSight = (
  { row, column, top, left }: Place,
  matrix: AwardMatrix,
  { width, height }: Size,
): Place => {
  const down = keepInSight({ at: row, top }, matrix.rows.length, height - MATRIX_HEAD - MATRIX_FOOT);
  const sideways = keepInSight({ at: column, top: left }, matrix.bands.length + 1, fitColumns(matrix, width).count);
  return { row: down.at, top: down.top, column: sideways.at, left: sideways.top };
};

/** The position after a key. */
export const moveInMatrix = (place: Place, move: Move, matrix: AwardMatrix, size: Size): Place => {
  if (move === "left" || move === "right") {
    return keepPlaceInSight({ ...place, column: place.column + (move === "left" ? -1 : 1) }, matrix, size);
  }
  const height = size.height - MATRIX_HEAD - MATRIX_FOOT;
  const { at, top } = moveCursor({ at: place.row, top: place.top }, move, matrix.rows.length, height);
  return { ...place, row: at, top };
};

/** One row per name, bands across, totals below. Arrow keys scroll to the rest. */
export const renderMatrix = (matrix: AwardMatrix, place: Place, heading: Line, size: Size): Line[] => {
  const { row: at, column, top, left } = place;
  const { labelWidth, count } = fitColumns(matrix, size.width);
  const names = ["MIX", ...matrix.bands.map(shortenBand)].slice(left, left + count);
  const renderSums = (state: "confirmed" | "worked"): Line => [
    [formatCell(`  ${state}`, labelWidth), state],
    ...matrix.totals
      .slice(left, left + count)
      .map((total): Span => [formatCell(total[state], CELL_WIDTH, "right"), state]),
  ];
  const rows = matrix.rows.slice(top, top + size.height - MATRIX_HEAD - MATRIX_FOOT).map((row, index): Line => {
    const isHere = top + index === at;
    const cells = [row.mixed, ...row.cells].slice(left, left + count);
    return [
      isHere ? [formatCell(`> ${row.label}`, labelWidth), "title"] : formatCell(`  ${row.label}`, labelWidth),
      ...cells.flatMap((state, place): Span[] => renderCell(state, isHere && left + place === column)),
    ];
  });
  const room = size.height - MATRIX_HEAD - MATRIX_FOOT;
  if (rows.length === 0) rows.push([["  Nothing worked yet.", "quiet"]]);
  return [
    heading,
    [
      [formatCell("", labelWidth), "title"],
      ...names.map((name, place): Span => [
        formatCell(name, CELL_WIDTH, "right"),
        left + place === column ? "live" : "title",
      ]),
    ],
    ...fitHeight(rows, room),
    renderSums("confirmed"),
    renderSums("worked"),
    renderLegend(matrix, place, count),
  ];
};

const renderLegend = ({ bands, rows }: AwardMatrix, { row, left }: Place, count: number): Line => {
  const columns = bands.length + 1;
  const hidden = [...(left > 0 ? ["‹ more"] : []), ...(left + count < columns ? ["more ›"] : [])].join("  ");
  return [
    "  ",
    ["C", "confirmed"],
    " confirmed  ",
    ["W", "worked"],
    " worked  ",
    ["·", "quiet"],
    ` needed    row ${rows.length === 0 ? 0 : row + 1} of ${rows.length}   `,
    [hidden, "live"],
  ];
};

export const CELL_SIGNS: Record<Cell, string> = { confirmed: "C", worked: "W" };

const renderCell = (state: Cell | null, isHere: boolean): Span[] => {
  const sign = state === null ? "·" : CELL_SIGNS[state];
  if (isHere) return [" ".repeat(CELL_WIDTH - 3), [`[${sign}]`, "chosen"]];
  return [" ".repeat(CELL_WIDTH - 1), [sign, state ?? "quiet"]];
};

/** A row of a list of places with its searchable text. */
export interface ListedRow {
  label: string;
  line: Line;
  slot: SlotName | null;
}

/** Signs are left out where the heading says the same and they would only be noise. */
interface Telling {
  isPlain: boolean;
}

export const listNeededRows = (needed: NeededDocument, { isPlain }: Telling): ListedRow[] => {
  const { neverWorked, notConfirmed, complete } = needed;
  return [
    ...listNoteRows(needed),
    createTitleRow(`Worked, but not confirmed: ${notConfirmed.length}`),
    ...notConfirmed.map((slot) => ({
      label: slot.label,
      slot,
      line: [
        "  ",
        [isPlain ? "" : "W ", "worked"] as const,
        ...renderName(slot, needed),
        ...(slot.confirmedElsewhere.length > 0
          ? [`confirmed by ${slot.confirmedElsewhere.map((by) => describeWitness(by)).join(", ")}`]
          : []),
      ],
    })),
    createTitleRow(complete ? `Never worked: ${neverWorked.length}` : "Never worked: no complete list exists"),
    ...neverWorked.map((slot) => ({
      label: slot.label,
      slot,
      line: ["  ", [isPlain ? "" : "· ", "quiet"] as const, ...renderName(slot, needed)],
    })),
  ];
};

type Noted = Pick<AwardDetail, "modeUnknown">;

/** One line about contacts that do not count. */
export const renderNotes = ({ modeUnknown }: Noted): Line[] => {
  const words = describeModeUnknown(modeUnknown);
  return words === null ? [] : [[[` ${words}`, "quiet"]]];
};

const listNoteRows = (noted: Noted): ListedRow[] => renderNotes(noted).map((line) => ({ label: "", slot: null, line }));

export const listSlotRows = (
  award: Pick<AwardDetail, "slots" | "band" | "group"> & Noted,
  { isPlain }: Telling,
): ListedRow[] => [
  ...listNoteRows(award),
  ...award.slots.map((slot): ListedRow => ({
    label: slot.label,
    slot,
    line: [
      "  ",
      slot.confirmed ? [isPlain ? "confirmed " : "C ", "confirmed"] : [isPlain ? "worked    " : "W ", "worked"],
      ...renderName(slot, award),
      [describeWitnesses(slot), "quiet"],
    ],
  })),
];

const createTitleRow = (words: string): ListedRow => ({ label: "", slot: null, line: [[` ${words}`, "title"]] });

const describeWitnesses = ({ confirmedBy, credited }: Slot): string =>
  [
    ...WITNESSES.filter((witness) => confirmedBy[witness]).map((witness) => describeWitness(witness)),
    ...(credited ? ["credited"] : []),
  ].join(", ");

/** A place, with its band and mode group unless the heading names them. */
const renderName = ({ key, label, band, group }: SlotName, view: Pick<AwardView, "band" | "group">): Span[] => [
  formatCell(key, 7),
  formatCell(label === String(key) ? "" : label, 34),
  band === null || band === view.band ? "" : ` ${formatCell(band, 5)}`,
  group === null || group === view.group ? "" : ` ${formatCell(group, 7)}`,
  " ",
];

const MIN_COLUMN_WIDTH = 64;
const MAX_COLUMNS = 3;

/** In how many columns a list of places is shown. */
export const getColumnCount = (width: number, isPlain: boolean): number =>
  isPlain ? 1 : Math.max(1, Math.min(MAX_COLUMNS, Math.floor(width / MIN_COLUMN_WIDTH)));

/** The rows from the cursor's top, in columns that are read from top to bottom. */
export const renderRows = (
  rows: readonly ListedRow[],
  cursor: Cursor,
  heading: Line,
  size: Size,
  columns: number,
): Line[] => {
  const height = size.height - 1;
  const width = Math.floor(size.width / columns);
  const render = (at: number): Line => {
    const row = rows[at];
    return fitLine(row ? renderRow(row.line, at === cursor.at, width) : [], width);
  };
  const lines = Array.from({ length: height }, (_, down): Line =>
    Array.from({ length: columns }, (_, across) => render(cursor.top + across * height + down)).flat(),
  );
  return [heading, ...lines];
};

/** The log filter for the contacts of a slot; null if there is none. */
export const getSlotFilter = (award: AwardId, { key, band, group }: SlotName): FilterParameters | null => {
  const place = award.startsWith("dxcc")
    ? { dxcc: String(key) }
    : award.startsWith("was")
      ? { state: String(key), dxcc: [USA, ALASKA, HAWAII].join(",") }
      : null;
  return (
    place && {
      ...place,
      ...(band === null || band === SAT ? {} : { band }),
      ...(group !== null && MODE_GROUPS.some((one) => one === group) ? { group } : {}),
    }
  );
};
