import { LABELS } from "../../../src/domain/origins/labels.ts";
import { WITNESSES } from "../../../src/domain/awards/award.ts";
import type { Mark } from "../../../src/domain/contact/marks.ts";
import { formatUtc } from "../../../src/kernel/time-text.ts";
import { formatCell } from "../../table.ts";
import { type Line, type Span, type Tone } from "../line.ts";
import type { QsoRow } from "./qso-window.ts";

interface Column {
  title: string;
  width: number;
  of: (row: QsoRow) => string | null;
}

const MARK_WIDTH = 4;
/** In plain mode, the state as one word stands for the marks of all witnesses. */
const STATE_WIDTH = 9;
const BEFORE_NAME = 61;
const getNameStart = (isPlain: boolean): number =>
  isPlain ? BEFORE_NAME - WITNESSES.length * (MARK_WIDTH + 1) + 1 + STATE_WIDTH : BEFORE_NAME;
const NARROWEST = 6;

/** Columns that wider terminals show in addition, in this order. */
const AFTER_MARKS: Column[] = [
  { title: "NAME", width: 24, of: ({ name }) => name },
  { title: "ENTITY", width: 34, of: ({ entity }) => entity },
  { title: "GRID", width: 6, of: ({ gridsquare }) => gridsquare },
  { title: "QTH", width: 24, of: ({ qth }) => qth },
  { title: "COMMENT", width: Infinity, of: ({ comment }) => comment },
];

/** The columns that fit after the marks. Name and entity always fit. */
const fitColumns = (width: number, isPlain: boolean): Column[] => {
  const [name, entity, ...more] = AFTER_MARKS as [Column, Column, ...Column[]];
  const room = Math.max(2 * NARROWEST, width - getNameStart(isPlain));
  const nameWidth = Math.min(name.width, Math.max(NARROWEST, Math.floor(room * 0.45)));
  const entityWidth = Math.min(entity.width, room - nameWidth);
  const columns = [
    { ...name, width: nameWidth },
    { ...entity, width: entityWidth },
  ];
  let left = room - nameWidth - entityWidth;
  for (const column of more) {
    if (left <= NARROWEST) break;
    const fitting = Math.min(column.width, left - 1);
    columns.push({ ...column, width: fitting });
    left -= fitting + 1;
  }
  return columns;
};

export const renderQsoTitles = (width: number, isPlain: boolean): Line => {
  const titles = fitColumns(width, isPlain).map((column) => formatCell(column.title, column.width));
  return [
    [` TIME (UTC)       CALL         BAND  MODE    ${formatWitnesses(isPlain)} ${titles.join(" ").trimEnd()}`, "title"],
  ];
};

const formatWitnesses = (isPlain: boolean): string =>
  isPlain
    ? formatCell("STATE", STATE_WIDTH)
    : WITNESSES.map((witness) => formatCell(witness === "card" ? "CARD" : LABELS[witness], MARK_WIDTH)).join(" ");

export const renderQso = (row: QsoRow, width: number, isPlain: boolean): Line => [
  `${formatUtc(row.startedAt)} `,
  formatCell(row.call, 12),
  ` ${formatCell(row.band, 5)} ${formatCell(row.submode ?? row.mode, 7)} `,
  ...renderMarks(row, isPlain),
  ...fitColumns(width, isPlain).map((column): Span => ` ${formatCell(column.of(row), column.width)}`),
];

const TONES: Record<Mark, Tone> = { C: "confirmed", W: "worked", "–": "quiet" };

/** The mark of each witness; in plain mode the state as a word. */
export const renderMarks = ({ marks, state }: Pick<QsoRow, "marks" | "state">, isPlain: boolean): Span[] =>
  isPlain
    ? [formatCell(state.kind, STATE_WIDTH)]
    : WITNESSES.flatMap((witness, index): Span[] => [
        index > 0 ? " " : "",
        [formatCell(marks[witness], MARK_WIDTH), TONES[marks[witness]]],
      ]);
