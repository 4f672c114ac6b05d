import { megahertz } from "../../../src/kernel/number-text.ts";
import { listFieldsWith, getField, type FieldName } from "../../../src/domain/contact/fields.ts";
import type { SortKey } from "../../../src/domain/contact/qso-filter.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import { LOG_TEXTS as WORDS } from "../../texts/log.ts";

/** A column of the log that can be chosen. */
export interface LogColumn {
  name: string;
  label: string;
  sort?: SortKey;
  of(qso: QsoView): string;
}

/** Columns that are combined with others or always shown. */
const ELSEWHERE: readonly FieldName[] = [
  "call",
  "startedAt",
  "endedAt",
  "band",
  "mode",
  "submode",
  "rstSent",
  "rstRcvd",
  "dxcc",
  "state",
  "gridsquare",
  "name",
];

const together = (parts: readonly (string | null)[]): string => parts.filter(Boolean).join(" ");

export const LOG_COLUMNS: readonly LogColumn[] = [
  { name: "rst", label: WORDS.rst, of: ({ rstSent, rstRcvd }) => together([rstSent, rstRcvd]) },
  { name: "entity", label: WORDS.entity, sort: "dxcc", of: ({ entity }) => entity ?? "unknown" },
  { name: "place", label: WORDS.stateGrid, of: ({ state, gridsquare }) => together([state, gridsquare]) },
  ...listFieldsWith("label")
    .filter((field) => !ELSEWHERE.includes(field))
    .map((field) => ({ name: field, label: getField(field).label!, of: getText(field) })),
];

export const USUAL_COLUMNS: readonly string[] = ["entity", "place"];

function getText(field: FieldName): (qso: QsoView) => string {
  if (field === "freqHz") return ({ freqHz }) => (freqHz === null ? "" : megahertz(freqHz));
  return (qso) => String((qso as unknown as Record<string, unknown>)[field] ?? "");
}

/** The existing columns among these names, in standard order. */
export const findColumns = (names: readonly string[]): LogColumn[] =>
  LOG_COLUMNS.filter(({ name }) => names.includes(name));
