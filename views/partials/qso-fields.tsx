/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { BANDS } from "../../src/domain/band.ts";
import type { QsoView } from "../../src/domain/qso-view.ts";
import { Field, type Problem } from "../form.tsx";

type Editable = Pick<
  QsoView,
  | "call"
  | "band"
  | "mode"
  | "submode"
  | "stationCallsign"
  | "rstSent"
  | "rstRcvd"
  | "name"
  | "qth"
  | "gridsquare"
  | "state"
  | "iota"
  | "comment"
> & { startedAt: number; freqHz: number | null; dxcc: number | null };

export const FIELDS = [
  ["call", "Callsign"],
  ["startedAt", "Start (UTC)"],
  ["band", "Band"],
  ["freqHz", "Frequency (MHz)"],
  ["mode", "Mode"],
  ["submode", "Submode"],
  ["rstSent", "RST sent"],
  ["rstRcvd", "RST received"],
  ["stationCallsign", "Own callsign"],
  ["name", "Name"],
  ["qth", "QTH"],
  ["gridsquare", "Grid square"],
  ["state", "State"],
  ["dxcc", "DXCC entity number"],
  ["iota", "IOTA"],
  ["comment", "Comment"],
] as const;

export type FieldName = (typeof FIELDS)[number][0];

/** A column as a form shows it. */
export const fieldText = (qso: Editable, name: FieldName): string => {
  const value = qso[name];
  if (value === null) return "";
  if (name === "startedAt") return momentOf(qso.startedAt);
  return name === "freqHz" ? String(Number(value) / 1e6) : String(value);
};

/** Seconds are shown where there are any. */
export const momentOf = (at: number): string =>
  new Date(at)
    .toISOString()
    .slice(0, at % 60_000 === 0 ? 16 : 19)
    .replace("T", " ");

interface Props {
  form: string;
  qso?: Editable;
  problem?: Problem | undefined;
}

export const QsoFields = ({ form, qso, problem }: Props) => (
  <div class="fields">
    {FIELDS.map(([name, label]) => (
      <Field
        form={form}
        name={name}
        label={label}
        value={qso && fieldText(qso, name)}
        placeholder={name === "startedAt" ? "YYYY-MM-DD HH:MM" : ""}
        maxlength={1000}
        problem={problem}
      />
    ))}
  </div>
);

export const BAND_CHOICES: readonly (readonly [string, string])[] = [
  ["", "any"],
  ...BANDS.map(({ name }) => [name, name] as const),
];
