import { WITNESSES } from "../src/domain/awards/award.ts";
import { marksOf } from "../src/domain/contact/marks.ts";
import { megahertz } from "../src/kernel/number-text.ts";
import { factsOf, type Fact, type OwnFacts } from "../src/domain/contact/qso-facts.ts";
import type { OriginView, QsoView } from "../src/domain/contact/qso-view.ts";
import type { Labels } from "../src/domain/jobs/source.ts";
import { pastInWords, utc, type AsOf } from "../src/kernel/time-text.ts";
import { table, tableRows } from "./table.ts";

/** A table of contacts with the mark of each witness. */
export const asTable = (qsos: readonly QsoView[], labels: Labels, width: number): string => {
  if (qsos.length === 0) return "No matching QSOs.";
  const columns = [
    { title: "ID", align: "right" as const },
    { title: "TIME (UTC)" },
    { title: "CALL" },
    { title: "BAND" },
    { title: "MODE" },
    ...WITNESSES.map((witness) => ({ title: witness === "card" ? "CARD" : labels[witness] })),
    { title: "NAME", shrinks: true },
    { title: "ENTITY", shrinks: true },
  ];
  const rows = qsos.map((qso) => [
    String(qso.id),
    utc(qso.startedAt),
    qso.call,
    qso.band ?? "",
    qso.submode ?? qso.mode ?? "",
    ...Object.values(marksOf(qso)),
    qso.name ?? "",
    qso.entity ?? "",
  ]);
  return table(columns, rows, width);
};

/** All details of a contact. */
export const inDetail = (qso: QsoView & { asOf?: AsOf }, labels: Labels, width: number): string => {
  const parts = [
    ...(qso.asOf ? [pastInWords(qso.asOf)] : []),
    lines(facts(qso), width),
    `Confirmed\n${lines(confirmations(qso, labels), width)}`,
    ...layer("Typed", qso.own.typed, width),
    ...layer("Other fields", qso.extra, width),
    ...layer(`${labels.first} says`, qso.first?.details ?? {}, width),
    ...layer(`${labels.second} says`, qso.second?.details ?? {}, width),
  ];
  return parts.join("\n\n");
};

const facts = (qso: QsoView): readonly Fact[] => [["QSO", qso.id], ["Call", qso.call], ...factsOf(qso, OWN_FACTS)];

const OWN_FACTS: OwnFacts = {
  startedAt: ({ startedAt, endedAt }) => [
    ["Time (UTC)", endedAt === null ? utc(startedAt) : `${utc(startedAt)} to ${utc(endedAt)}`],
  ],
  endedAt: () => [],
  freqHz: ({ freqHz }) => [["Frequency", freqHz === null ? null : megahertz(freqHz)]],
  mode: ({ mode, submode }) => [["Mode", [mode, submode].filter(Boolean).join(" ")]],
  rstSent: ({ rstSent, rstRcvd }) => [["Sent, received", [rstSent, rstRcvd].filter(Boolean).join(", ")]],
  stationCallsign: ({ stationCallsign }) => [["Station", stationCallsign]],
  gridsquare: ({ gridsquare }) => [["Grid", gridsquare]],
  dxcc: ({ entity }) => [["Entity", entity]],
  cqZone: (qso) => [["Zones", zones(qso)]],
  ituZone: () => [],
  txPower: ({ txPower }) => [["Power", txPower === null ? null : `${txPower} W`]],
};

const zones = ({ cqZone, ituZone }: QsoView): string =>
  [...(cqZone === null ? [] : [`CQ ${cqZone}`]), ...(ituZone === null ? [] : [`ITU ${ituZone}`])].join(", ");

const confirmations = ({ first, second, own }: QsoView, labels: Labels): Fact[] => [
  [labels.first, first === null ? "does not have this contact" : word(first)],
  [labels.second, second === null ? "does not have this contact" : word(second)],
  ["Card", word(own)],
];

const word = ({ confirmed, confirmedAt, via }: Pick<OriginView, "confirmed" | "confirmedAt" | "via">): string => {
  if (!confirmed) return "no";
  const day = confirmedAt === null ? "yes" : `yes, ${utc(confirmedAt).slice(0, 10)}`;
  return via === "file" ? `${day} (from a file)` : day;
};

const layer = (title: string, fields: Record<string, string>, width: number): string[] =>
  Object.keys(fields).length === 0 ? [] : [`${title}\n${lines(Object.entries(fields), width)}`];

/** Names and values in two columns, without unknown values. */
const lines = (all: readonly Fact[], width: number): string => {
  const known = all.filter(([, value]) => value !== null && value !== "");
  const columns = [{ title: "" }, { title: "", shrinks: true }];
  const rows = known.map(([name, value]) => [`  ${name}`, String(value)]);
  return tableRows(columns, rows, width).slice(1).join("\n");
};
