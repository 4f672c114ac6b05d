import { BANDS } from "../../domain/radio/band.ts";
import { invalidField } from "../../kernel/errors.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import type { Qso } from "../../domain/contact/qso.ts";
import { exportRecord } from "../../domain/contact/export-record.ts";
import type { ExportContext, Format } from "./format.ts";

/** From 50 MHz up, Cabrillo has band names instead of frequencies. */
const BAND_WORDS: Record<string, string> = {
  "6m": "50",
  "4m": "70",
  "2m": "144",
  "1.25m": "222",
  "70cm": "432",
  "33cm": "902",
  "23cm": "1.2G",
  "13cm": "2.3G",
  "9cm": "3.4G",
  "6cm": "5.7G",
  "3cm": "10G",
  "1.25cm": "24G",
  "6mm": "47G",
  "4mm": "75G",
  "2.5mm": "122G",
  "2mm": "134G",
  "1mm": "241G",
};

/** The format of contest sponsors: one contest, version 3.0. */
export const cabrillo: Format = {
  type: "text/plain; charset=utf-8",
  extension: "log",
  looksAhead: true,
  assertFits({ filter }) {
    if (filter.contest?.length === 1) return;
    throw invalidField("contest", "A Cabrillo file covers one contest. Choose it with the contest filter.");
  },
  head: (context) =>
    [
      ["START-OF-LOG", "3.0"],
      ["CREATED-BY", `qsolog ${context.programVersion}`],
      ["CONTEST", context.filter.contest![0]!],
      ["CALLSIGN", only(context.survey.map(({ stationCallsign }) => stationCallsign)) ?? context.callsign],
      ...buildEntry(context.survey),
    ]
      .flatMap(([tag, value]) => (value === null ? [] : [`${tag}: ${toAscii(value!)}\n`]))
      .join(""),
  row: (qso, { callsign }) => formatLine(qso, callsign),
  tail: () => "END-OF-LOG:\n",
};

type Tag = [name: string, value: string | null];

/** What the contacts say about the entry. The user adds the rest, such as assistance. */
const buildEntry = (survey: ExportContext["survey"]): Tag[] => {
  const operators = known(survey.map(({ operator }) => operator));
  return [
    ["CATEGORY-OPERATOR", operators.length > 1 ? "MULTI-OP" : "SINGLE-OP"],
    ["CATEGORY-BAND", formatBands(survey)],
    ["CATEGORY-MODE", formatModes(survey)],
    ["CATEGORY-POWER", formatPower(survey)],
    ["GRID-LOCATOR", only(survey.map(({ ownGrid }) => ownGrid))],
    ["OPERATORS", operators.length > 0 ? operators.join(" ") : null],
  ];
};

const known = <T>(values: readonly (T | null)[]): T[] => [...new Set(values.filter((value) => value !== null))];

const only = <T>(values: readonly (T | null)[]): T | null => {
  const [value = null, ...others] = known(values);
  return others.length === 0 ? value : null;
};

/** Wavelength below 50 MHz and up to 2 m, megahertz above. */
const formatBands = (survey: ExportContext["survey"]): string => {
  const band = only(survey.map((one) => one.band));
  if (band === null) return "ALL";
  const isNamed = ["6m", "4m", "2m"].includes(band) || BAND_WORDS[band] === undefined;
  return isNamed ? band.toUpperCase() : BAND_WORDS[band]!;
};

const formatModes = (survey: ExportContext["survey"]): string => {
  const words = known(survey.map((one) => ENTRY_MODES[formatMode(one)]!));
  return words.length === 1 ? words[0]! : "MIXED";
};

const ENTRY_MODES: Record<string, string> = { CW: "CW", PH: "SSB", FM: "FM", RY: "RTTY", DG: "DIGI" };

const QRP_WATTS = 5;
const LOW_WATTS = 100;

/** Only if every contact has it. */
const formatPower = (survey: ExportContext["survey"]): string | null => {
  const watts = survey.map(({ txPower }) => txPower);
  if (watts.length === 0 || watts.includes(null)) return null;
  const most = Math.max(...(watts as number[]));
  if (most <= QRP_WATTS) return "QRP";
  return most <= LOW_WATTS ? "LOW" : "HIGH";
};

const formatLine = (qso: Qso, callsign: string | null): string => {
  const { STX_STRING, STX, SRX_STRING, SRX } = exportRecord(qso).fields;
  const report = qso.modeGroup === "phone" ? "59" : "599";
  const mine = [qso.stationCallsign ?? callsign ?? "-", qso.rstSent ?? report, STX_STRING ?? STX ?? "-"] as const;
  const theirs = [qso.call, qso.rstRcvd ?? report, SRX_STRING ?? SRX ?? "-"] as const;
  const time = new Date(qso.startedAt).toISOString().slice(11, 16).replace(":", "");
  const when = `${formatFrequency(qso).padStart(5)} ${formatMode(qso)} ${formatIsoDate(qso.startedAt)} ${time}`;
  return `QSO: ${when} ${formatSide(mine)} ${formatSide(theirs)} 0\n`;
};

const formatSide = ([call, report, exchange]: readonly [string, string, string]): string =>
  `${toAscii(call).padEnd(13)} ${toAscii(report).padStart(3)} ${toAscii(exchange).padEnd(6)}`;

/** One line of plain ASCII. */
const toAscii = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").trim();

const formatFrequency = ({ band, freqHz }: Qso): string => {
  const named = band === null ? undefined : BAND_WORDS[band];
  if (named !== undefined) return named;
  const hertz = freqHz ?? BANDS.find(({ name }) => name === band)?.lowHz ?? 0;
  return String(Math.round(hertz / 1000));
};

const formatMode = ({ mode, modeGroup }: Pick<Qso, "mode" | "modeGroup">): string => {
  if (modeGroup === "cw") return "CW";
  if (modeGroup === "phone") return mode === "FM" ? "FM" : "PH";
  return mode === "RTTY" ? "RY" : "DG";
};
