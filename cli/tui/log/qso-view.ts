import { describeQsoState, type QsoStateKind } from "../../../src/domain/contact/qso-state.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import { formatPlural } from "../../../src/kernel/number-text.ts";
import { describePast, formatUtc, type AsOf } from "../../../src/kernel/time-text.ts";
import { listQsoSections } from "../../qso-words.ts";
import type { DxccMatrices } from "../../../src/domain/awards/entity-slots.ts";
import { renderEntitySlots } from "./entity-slots.ts";
import { formatCell } from "../../table.ts";
import { wrapLines, type Line, type Tone } from "../line.ts";
import { renderMarks } from "./qso-lines.ts";
import { toRow } from "./qso-window.ts";

interface QsoDetail {
  qso: QsoView & { asOf?: AsOf };
  /** The newest contacts with the same call, this one too, and how many there are. */
  alike: readonly QsoView[];
  alikeTotal: number;
  /** Null until they are loaded. */
  slots: DxccMatrices | null;
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
  { width, isPlain }: { width: number; isPlain: boolean },
): Line[] => {
  const [facts, confirmed, ...layers] = listQsoSections(qso, width - 2).map((section) =>
    section.split("\n").map(setTone),
  );
  const who = [qso.name, qso.qth].filter(Boolean).join(", ");
  return [
    ...(qso.asOf ? wrapLines(describePast(qso.asOf), width, "live") : []),
    [[` ${qso.call}`, "title"], `  ${who}`],
    ...renderState(qso, width),
    [],
    ...facts!,
    [],
    ...confirmed!,
    ...(slots === null || qso.dxcc === null
      ? []
      : [[], ...renderEntitySlots(slots, { ...qso, dxcc: qso.dxcc }, isPlain)]),
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

const renderState = (qso: QsoView, width: number): Line[] => {
  const { kind, verdict, details, next } = describeQsoState(qso);
  return [
    ...wrapLines(verdict, width, STATE_TONES[kind]),
    ...(details.length === 0 ? [] : wrapLines(details.join(" "), width)),
    ...(next === null ? [] : wrapLines(next, width, "title")),
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
