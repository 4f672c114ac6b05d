import { BANDS } from "../../domain/band.ts";
import { AppError } from "../../domain/errors.ts";
import { isoDate } from "../../domain/instant.ts";
import type { Qso } from "../../domain/qso.ts";
import { exportRecord } from "../export-record.ts";
import type { Format } from "./format.ts";

/** From 50 MHz up a band has a name in place of a frequency. */
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

/** What contest sponsors read: one contest, format 3.0. */
export const cabrillo: Format = {
  type: "text/plain; charset=utf-8",
  extension: "log",
  assertFits({ filter }) {
    if (filter.contest?.length === 1) return;
    const message = "Cabrillo is for one contest: name it with the filter contest.";
    throw new AppError("invalid", message, { fields: [{ path: "contest", message }] });
  },
  head: ({ filter, programVersion, callsign }) =>
    [
      "START-OF-LOG: 3.0",
      `CREATED-BY: qsolog ${programVersion}`,
      `CONTEST: ${filter.contest![0]}`,
      ...(callsign === null ? [] : [`CALLSIGN: ${filter.station?.[0] ?? callsign}`]),
      "",
    ].join("\n"),
  row: (qso, { callsign }) => lineOf(qso, callsign),
  tail: () => "END-OF-LOG:\n",
};

const lineOf = (qso: Qso, callsign: string | null): string => {
  const { STX_STRING, STX, SRX_STRING, SRX } = exportRecord(qso).fields;
  const report = qso.modeGroup === "phone" ? "59" : "599";
  const mine = [qso.stationCallsign ?? callsign ?? "-", qso.rstSent ?? report, STX_STRING ?? STX ?? "-"] as const;
  const theirs = [qso.call, qso.rstRcvd ?? report, SRX_STRING ?? SRX ?? "-"] as const;
  const time = new Date(qso.startedAt).toISOString().slice(11, 16).replace(":", "");
  const when = `${frequencyOf(qso).padStart(5)} ${modeOf(qso)} ${isoDate(qso.startedAt)} ${time}`;
  return `QSO: ${when} ${sideOf(mine)} ${sideOf(theirs)} 0\n`;
};

const sideOf = ([call, report, exchange]: readonly [string, string, string]): string =>
  `${plain(call).padEnd(13)} ${plain(report).padStart(3)} ${plain(exchange).padEnd(6)}`;

/** One line, in signs that every reader knows. */
const plain = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, "?").trim();

const frequencyOf = ({ band, freqHz }: Qso): string => {
  const named = band === null ? undefined : BAND_WORDS[band];
  if (named !== undefined) return named;
  const hertz = freqHz ?? BANDS.find(({ name }) => name === band)?.lowHz ?? 0;
  return String(Math.round(hertz / 1000));
};

const modeOf = ({ mode, modeGroup }: Qso): string => {
  if (modeGroup === "cw") return "CW";
  if (modeGroup === "phone") return mode === "FM" ? "FM" : "PH";
  return mode === "RTTY" ? "RY" : "DG";
};
