import { describeQsoState, type QsoStateKind } from "../../../src/domain/contact/qso-state.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import type { Labels } from "../../../src/domain/jobs/source.ts";
import { formatPlural } from "../../../src/kernel/number-text.ts";
import { describePast, formatUtc, type AsOf } from "../../../src/kernel/time-text.ts";
import { listQsoSections } from "../../qso-words.ts";
import { renderEntitySlots, type EntitySlots } from "./entity-slots.ts";
import { formatCell, wrapText, type Line, type Tone } from "../line.ts";
import { renderMarks } from "./qso-lines.ts";
import { toRow } from "./qso-window.ts";

export interface QsoDetail {
  qso: QsoView & { asOf?: AsOf };
  /** The newest contacts with the same call, this one too, and how many there are. */
  alike: readonly QsoView[];
  alikeTotal: number;
  /** Null until they are loaded. */
  slots: EntitySlots | null;
}

export const STATE_TONES: Record<QsoStateKind, Tone> = {
  confirmed: "confirmed",
  waiting: "worked",
  missing: "worked",
  differs: "failed",
};

/** The state of a contact, what to do next, and then everything that is known. */
export const renderQsoView = (
  { qso, alike, alikeTotal, slots }: QsoDetail,
  labels: Labels,
  { width, isPlain }: { width: number; isPlain: boolean },
): Line[] => {
  const [facts, confirmed, ...layers] = listQsoSections(qso, labels, width - 2).map((section) =>
    section.split("\n").map(setTone),
  );
  const who = [qso.name, qso.qth].filter(Boolean).join(", ");
  return [
    ...(qso.asOf ? wrapText(describePast(qso.asOf), width - 2).map((row): Line => [[` ${row}`, "live"]]) : []),
    [[` ${qso.call}`, "title"], `  ${who}`],
    ...renderState(qso, labels, width),
    [],
    ...facts!,
    [],
    ...confirmed!,
    ...(slots === null || qso.dxcc === null ? [] : [[], ...renderEntitySlots(slots, qso, isPlain)]),
    ...(alikeTotal > 1
      ? [
          [],
          [[` ${alikeTotal} ${formatPlural(alikeTotal, "QSO")} with ${qso.call}`, "title"] as const],
          ...alike.map((one) => renderAlike(one, one.id === qso.id, isPlain)),
        ]
      : []),
    ...layers.flatMap((lines): Line[] => [[], ...lines]),
  ];
};

const renderState = (qso: QsoView, labels: Labels, width: number): Line[] => {
  const { kind, verdict, details, next } = describeQsoState(qso, labels);
  const write = (text: string, tone: Tone | null): Line[] =>
    wrapText(text, width - 2).map((row): Line => [tone === null ? ` ${row}` : [` ${row}`, tone]]);
  return [
    ...write(verdict, STATE_TONES[kind]),
    ...(details.length === 0 ? [] : write(details.join(" "), null)),
    ...(next === null ? [] : write(next, "title")),
  ];
};

export const renderAlike = (qso: QsoView, isThis: boolean, isPlain: boolean): Line => {
  const row = toRow(qso);
  return [
    `${isThis ? " >" : "  "} ${formatUtc(row.startedAt)}  ${formatCell(row.band, 5)} ${formatCell(row.submode ?? row.mode, 7)} `,
    ...renderMarks(row, isPlain),
  ];
};

/** A title starts in the first column. */
const setTone = (text: string): Line => (/^\S/.test(text) ? [[` ${text}`, "title"]] : [` ${text}`]);
