import { LABELS } from "../origins/labels.ts";
import { formatIsoDate } from "../../kernel/instant.ts";
import { placeConfirmed } from "../awards/award-keys.ts";
import { countsForEntities, countsForSquares, countsForZones } from "../awards/award-tally.ts";
import { joinWords } from "../../kernel/text.ts";
import { describeDifference } from "../jobs/reconcile.ts";
import { byService, SERVICES, type Service } from "../jobs/source.ts";
import { pickCarried } from "../origins/first.ts";
import { getEntityName, isValidOn } from "../radio/entity.ts";
import { readSquares } from "../radio/grid-squares.ts";
import { findAwardState, US_STATES } from "../radio/us-states.ts";
import type { Fields } from "./adif-record.ts";
import { listDifferences } from "./differences.ts";
import type { OriginView, QsoView } from "./qso-view.ts";

/**
 * - confirmed: by someone whose confirmation awards accept
 * - waiting: a service has the contact, and the other station has to act
 * - missing: the service that awards accept does not have it
 * - differs: the service has it with another band or mode, so it cannot be confirmed there
 */
export type QsoStateKind = "confirmed" | "waiting" | "missing" | "differs";

/** The state of a contact in words. */
export interface QsoState {
  kind: QsoStateKind;
  /** The answer in one sentence. */
  verdict: string;
  /** More sentences: what it counts for, and which values differ. */
  details: readonly string[];
  /** What to do next; null if there is nothing to do. */
  next: string | null;
}

/** The service whose confirmations awards accept. */
const ACCEPTED: Service = "first";

/** Says whether a contact is confirmed, what it counts for, and otherwise why not and what to do. */
export const describeQsoState = (qso: QsoView): QsoState => {
  const differences = listDifferences(
    qso,
    byService((service) => qso[service]?.details ?? null),
  );
  const differing = differences.map((difference) => describeDifference({ ...difference, counts: null }));
  const details = differing.length === 0 ? [] : [`Details differ: ${differing.join("; ")}.`];
  const confirmedBy = listConfirmations(qso);
  if (qso[ACCEPTED]?.confirmed || qso.own.confirmed) {
    const counted = listCounted(qso);
    const worth = counted.length === 0 ? [] : [`It counts for ${joinWords(counted)}.`];
    const verdict = `Confirmed by ${joinWords(confirmedBy)}.`;
    return { kind: "confirmed", verdict, details: [...worth, ...details], next: null };
  }
  const isElsewhere = differences.some(
    ({ field, [ACCEPTED]: said }) => (field === "band" || field === "mode") && said !== null,
  );
  const name = LABELS[ACCEPTED];
  if (qso[ACCEPTED] !== null && isElsewhere) {
    return {
      kind: "differs",
      verdict: `${describeUnaccepted(confirmedBy)} ${name} has this contact with other values.`,
      details,
      next: `Edit the wrong value here, or upload the contact to ${name} again.`,
    };
  }
  const at = SERVICES.filter((service) => qso[service] !== null && !qso[service].confirmed);
  if (qso[ACCEPTED] !== null) {
    const has = at.length === 1 ? "has" : "have";
    return {
      kind: "waiting",
      verdict: `${describeUnaccepted(confirmedBy)} ${joinWords(at.map((one) => LABELS[one]))} ${has} your side, but ${qso.call} has not uploaded it.`,
      details,
      next: `Ask ${qso.call} to upload it to ${name}, or ask for a card.`,
    };
  }
  const silent = SERVICES.filter((service) => qso[service] === null).map((service) => LABELS[service]);
  const verdict =
    silent.length === 1
      ? `${describeUnaccepted(confirmedBy)} ${silent[0]} has not reported this contact.`
      : `${describeUnaccepted(confirmedBy)} Neither ${silent.join(" nor ")} has reported this contact.`;
  return { kind: "missing", verdict, details, next: `Upload it to ${name}, then sync.` };
};

/** The same as one paragraph. */
export const formatQsoState = ({ verdict, details, next }: QsoState): string =>
  [verdict, ...details, next].filter(Boolean).join(" ");

const listConfirmations = (qso: QsoView): string[] => [
  ...SERVICES.flatMap((service) =>
    qso[service]?.confirmed ? [describeConfirmation(LABELS[service], qso[service])] : [],
  ),
  ...(qso.own.confirmed ? [describeConfirmation("a card", qso.own)] : []),
];

const describeConfirmation = (by: string, { confirmedAt, via }: OriginView): string =>
  [
    by,
    confirmedAt === null ? "" : `on ${formatIsoDate(confirmedAt)}`,
    via === "file" && by !== "a card" ? "(from a file)" : "",
  ]
    .filter(Boolean)
    .join(" ");

/** Without a confirmation, or with one that the sponsors of DXCC, WAS and WAZ do not accept. */
const describeUnaccepted = (confirmedBy: readonly string[]): string =>
  confirmedBy.length === 0
    ? "Not confirmed."
    : `Confirmed by ${joinWords(confirmedBy)}, which does not count for DXCC, WAS or WAZ.`;

/** At sea or in the air, a station is in no entity, state or zone. */
const MOBILE = /\/(MM|AM)\d?(\/|$)/;

/** What a confirmed contact counts for. A confirmation of the first service counts for what it says itself. */
const listCounted = (qso: QsoView): string[] => {
  const { entity, state, zone, grids } = findCountedPlace(qso);
  const isFixed = !MOBILE.test(qso.call);
  const hasEntity = isFixed && countsForEntities(qso);
  return [
    ...(hasEntity && entity !== null ? [`DXCC ${getEntityName(entity)}`] : []),
    ...(hasEntity && state !== null ? [`WAS ${US_STATES.get(state) ?? state}`] : []),
    ...(isFixed && countsForZones(qso) && zone !== null ? [`WAZ zone ${zone}`] : []),
    ...(countsForSquares(qso) && grids !== null ? [`VUCC ${grids.split(",").join(" ")}`] : []),
  ];
};

const findCountedPlace = (qso: QsoView) => {
  const { dxcc, state, cqZone, startedAt, gridsquare } = qso;
  const own: Fields = { ...(gridsquare === null ? {} : { GRIDSQUARE: gridsquare }), ...qso.own.details };
  if (!qso[ACCEPTED]?.confirmed) {
    const entity = dxcc !== null && isValidOn(dxcc, startedAt) ? dxcc : null;
    return { entity, state: findAwardState(dxcc, state, startedAt), zone: cqZone, grids: readSquares(own) };
  }
  const said = pickCarried(qso[ACCEPTED].details ?? qso.own.details ?? {});
  const { firstEntity, firstState, firstZone } = placeConfirmed(said, dxcc, startedAt);
  return { entity: firstEntity, state: firstState, zone: firstZone, grids: readSquares(said) };
};
