import {
  CHANGE_SIGNS,
  COUNT_WORDS,
  describeField,
  describeLeftRecord,
  describeValue,
} from "../../src/domain/jobs/job-words.ts";
import type { Labels } from "../../src/domain/jobs/source.ts";
import type { ChangeView, LeftoverView } from "../../src/logbook/contract.ts";
import { formatChangedContact, describeLeftReason } from "../words.ts";
import { describeChange } from "../../src/domain/jobs/job-story.ts";
import { formatCell, fitLine, wrapText, type Line } from "./line.ts";

interface Telling {
  labels: Labels;
  width: number;
  /** Also shows every changed field as stored. */
  hasFields: boolean;
  /** Words instead of signs. */
  isPlain?: boolean;
}

/** On wide terminals the description is next to the contact. */
const BEFORE_WORDS = 62;
const PLAIN_KIND_WIDTH = 7;

/** A change in words; for an added contact its details. */
export const renderChange = (change: ChangeView, { labels, width, hasFields, isPlain = false }: Telling): Line[] => {
  const { qsoId, kind, diff } = change;
  const head: Line = [
    [
      ` ${isPlain ? formatCell(kind, PLAIN_KIND_WIDTH) : CHANGE_SIGNS[kind]} `,
      kind === "added" ? "confirmed" : "worked",
    ],
    formatChangedContact(change),
  ];
  const title: Line = [...head, [`  QSO ${qsoId}`, "quiet"]];
  if (kind !== "updated") return [title];
  const words = describeChange(change, labels);
  const isWide = BEFORE_WORDS + Bun.stringWidth(words) <= width;
  return [
    ...(isWide
      ? [[...fitLine(title, BEFORE_WORDS), words]]
      : [title, ...wrapText(words, width - 6).map((row): Line => [`     ${row}`])]),
    ...(hasFields ? diff : []).map(({ field, before, after }): Line => {
      const nameWidth = Math.min(34, Math.floor(width * 0.42));
      return [
        `     ${formatCell(describeField(field, labels), nameWidth)} `,
        [describeValue(field, before), "quiet"],
        isPlain ? " to " : " → ",
        describeValue(field, after),
      ];
    }),
  ];
};

export const renderLeftover = (leftover: LeftoverView): Line[] => [
  [[" ? ", "worked"], describeLeftRecord(leftover.record)],
  [[`     ${COUNT_WORDS[leftover.kind]}: ${describeLeftReason(leftover)}`, "quiet"]],
];
