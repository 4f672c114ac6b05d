import { LABELS } from "../src/domain/origins/labels.ts";
import { WITNESSES } from "../src/domain/awards/award.ts";
import { getMarks } from "../src/domain/contact/marks.ts";
import { formatCount, megahertz } from "../src/kernel/number-text.ts";
import { listFacts, type Fact, type OwnFacts } from "../src/domain/contact/qso-facts.ts";
import { describeQsoState, formatQsoState } from "../src/domain/contact/qso-state.ts";
import type { OriginView, QsoView } from "../src/domain/contact/qso-view.ts";
import { getCountyName } from "../src/domain/radio/us-states.ts";
import { describePast, formatUtc, type AsOf } from "../src/kernel/time-text.ts";
import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { describeField, describeValue } from "../src/domain/jobs/job-words.ts";
import { describeRecordedSince, describeSpeaker } from "../src/domain/contact/why.ts";
import type { WhyDocument } from "../src/logbook/contract.ts";
import { formatTable, formatTableRows, right, shrinking } from "./table.ts";

/** A table of contacts with the mark of each witness. */
export const formatQsoTable = (qsos: readonly QsoView[], width: number): string => {
  if (qsos.length === 0) return "No matching QSOs.";
  const columns = [
    right("ID"),
    "TIME (UTC)",
    "CALL",
    "BAND",
    "MODE",
    ...WITNESSES.map((witness) => (witness === "card" ? "CARD" : LABELS[witness])),
    ...["NAME", "ENTITY"].map(shrinking),
  ];
  const rows = qsos.map((qso) => [
    qso.id,
    formatUtc(qso.startedAt),
    qso.call,
    qso.band,
    qso.submode ?? qso.mode,
    ...Object.values(getMarks(qso)),
    qso.name,
    qso.entity,
  ]);
  return formatTable(columns, rows, width);
};

/** The state of a contact in words, then all details. */
export const formatQsoDetails = (qso: QsoView & { asOf?: AsOf }, width: number): string =>
  [
    ...(qso.asOf ? [describePast(qso.asOf)] : []),
    formatQsoState(describeQsoState(qso)),
    ...listQsoSections(qso, width),
  ].join("\n\n");

/** What is known of a contact: its facts, who confirmed it, and what each origin says. */
export const listQsoSections = (qso: QsoView, width: number): string[] => [
  formatLines(listQsoFacts(qso), width),
  `Confirmed\n${formatLines(listConfirmations(qso), width)}`,
  ...formatLayer("Typed", qso.own.typed, width),
  ...formatLayer("Other fields", qso.extra, width),
  ...formatLayer(`${LABELS.first} says`, qso.first?.details ?? {}, width),
  ...formatLayer(`${LABELS.second} says`, qso.second?.details ?? {}, width),
];

const listQsoFacts = (qso: QsoView): readonly Fact[] => [
  ["QSO", qso.id],
  ["Call", qso.call],
  ...listFacts(qso, OWN_FACTS),
];

const OWN_FACTS: OwnFacts = {
  startedAt: ({ startedAt, endedAt }) => [
    ["Time (UTC)", formatSpan(formatUtc(startedAt), endedAt === null ? "" : formatUtc(endedAt))],
  ],
  endedAt: () => [],
  freqHz: ({ freqHz }) => [["Frequency", freqHz === null ? null : megahertz(freqHz)]],
  mode: ({ mode, submode }) => [["Mode", [mode, submode].filter(Boolean).join(" ")]],
  rstSent: ({ rstSent, rstRcvd }) => [["Sent, received", [rstSent, rstRcvd].filter(Boolean).join(", ")]],
  stationCallsign: ({ stationCallsign }) => [["Station", stationCallsign]],
  gridsquare: ({ gridsquare }) => [["Grid", gridsquare]],
  county: (qso) => [["County", getCountyName(qso)]],
  dxcc: ({ entity }) => [["Entity", entity]],
  cqZone: (qso) => [["Zones", formatZones(qso)]],
  ituZone: () => [],
  txPower: ({ txPower }) => [["Power", txPower === null ? null : `${txPower} W`]],
};

/** The end only as far as it differs from the start. */
const formatSpan = (start: string, end: string): string => {
  if (end === "" || end === start) return start;
  const [day, time] = end.split(" ");
  return `${start} to ${start.startsWith(day!) ? time : end}`;
};

const formatZones = ({ cqZone, ituZone }: QsoView): string =>
  [...(cqZone === null ? [] : [`CQ ${cqZone}`]), ...(ituZone === null ? [] : [`ITU ${ituZone}`])].join(", ");

const listConfirmations = ({ first, second, own }: QsoView): Fact[] => [
  [LABELS.first, first === null ? "has not reported this contact" : formatConfirmation(first)],
  [LABELS.second, second === null ? "has not reported this contact" : formatConfirmation(second)],
  ["Card", formatConfirmation(own)],
];

const formatConfirmation = ({
  confirmed,
  confirmedAt,
  via,
}: Pick<OriginView, "confirmed" | "confirmedAt" | "via">): string => {
  if (!confirmed) return "no";
  const day = confirmedAt === null ? "yes" : `yes, ${formatUtc(confirmedAt).slice(0, 10)}`;
  return via === "file" ? `${day} (from a file)` : day;
};

const formatLayer = (title: string, fields: Record<string, string>, width: number): string[] =>
  Object.keys(fields).length === 0 ? [] : [`${title}\n${formatLines(Object.entries(fields), width)}`];

/** Names and values in two columns, without unknown values. */
const formatLines = (all: readonly Fact[], width: number): string => {
  const known = all.filter(([, value]) => value !== null && value !== "");
  const rows = known.map(([name, value]) => [`  ${name}`, String(value)]);
  return formatTableRows(["", shrinking("")], rows, width)
    .slice(1)
    .join("\n");
};

/** The fields by origin: who gave them, and the job and day that brought them. */
export const formatWhy = ({ fields, entityRule, since }: WhyDocument): string => {
  const names = new Map(fields.map(({ field }) => [field, describeField(field)]));
  const width = Math.max(0, ...[...names.values()].map(({ length }) => length));
  const groups = Map.groupBy(fields, ({ by, jobId, at }) => {
    const job = jobId === null ? "" : `, job ${jobId}`;
    return `${describeSpeaker(by)}${job}${at === null ? "" : `, ${formatUtc(at)} UTC`}`;
  });
  const lines = [...groups].flatMap(([origin, group]) => [
    `${origin}: ${formatCount(group.length, "field")}`,
    ...group.map(({ field, value }) => `  ${names.get(field)!.padEnd(width)}  ${describeValue(field, value)}`),
  ]);
  const entity = entityRule === null ? [] : [`Entity: ${entityRule}`];
  return stripControlCharacters([...lines, ...entity, describeRecordedSince(since)].join("\n"));
};
