import { MINUTE, getMinute } from "../../kernel/clock.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { saySame } from "../../domain/contact/layers.ts";
import { fileOrigin } from "../../domain/origins/file.ts";
import { getFileSlot } from "../../domain/origins/owner.ts";
import { SERVICE_ORIGINS } from "../../domain/origins/services.ts";
import { ID_COLUMN, type Qso } from "../../domain/contact/qso.ts";
import { buildLayers } from "../../domain/contact/records.ts";
import { isService, SERVICES, type Service } from "../../domain/jobs/source.ts";
import { getLayers } from "../../storage/log/qsos.ts";
import type { Tombstone } from "../../storage/log/tombstones.ts";
import { isOfLog, isContainedIn, findLikeness, isAnotherContact, type Likeness } from "./likeness.ts";
import { parseKey, type ContactKey, type Incoming } from "./incoming.ts";

type Facts = Pick<CallFacts, "normalise">;

/** The clocks of two programs can differ by this much. */
export const TOLERANCE = 30 * MINUTE;

/** How well a contact fits a record. Fields are compared in order; less is better. */
export interface Fit {
  otherMinute: 0 | 1;
  distance: number;
  modeRank: 0 | 1 | 2;
}

export type Verdict =
  | { kind: "match"; qso: Qso }
  /**
   * Only contacts of another minute fit, or files describe the contact differently. Decided after the whole download.
   */
  | { kind: "deferred" }
  | { kind: "new" };

/** The contacts that a record could mean, sorted oldest first. */
export interface Candidates {
  contacts: readonly Qso[];
  /** Whether another record of the job has the contact. */
  isTaken: (qso: Qso) => boolean;
  facts: Facts;
}

/**
 * Finds the contact that a record means. Contacts of the same minute that fit equally well do not differ in anything
 * the record knows, so the oldest is taken.
 */
export const match = (incoming: Incoming, candidates: Candidates): Verdict => {
  const known = findKnown(incoming, candidates);
  if (known) return { kind: "match", qso: known };
  if (findLooser(incoming, candidates).length > 0) return { kind: "deferred" };
  const { contacts, isTaken } = candidates;
  const fits = contacts
    .filter((qso) => !isTaken(qso) && isCandidate(incoming, qso))
    .map((qso) => ({ qso, fit: computeFit(incoming, qso) }));
  if (fits.length === 0) return { kind: "new" };
  const [best] = fits.sort((a, b) => compareFits(a.fit, b.fit));
  return best!.fit.otherMinute === 0 ? { kind: "match", qso: best!.qso } : { kind: "deferred" };
};

/** The contact about which this origin said the same before, in these words or equivalent ones. */
export const findKnown = (incoming: Incoming, candidates: Candidates): Qso | null => {
  if (incoming.record.brought) return findCarried(incoming, candidates);
  const same = candidates.contacts.find((qso) => isSameRecord(incoming, qso, candidates.facts));
  if (same || !isOfLog(incoming)) return same ?? null;
  return findAlike(incoming, candidates);
};

/**
 * Matches an exported record that carries all records of its contact: the contact has one of them already. Two records
 * of one export never mean the same contact.
 */
const findCarried = (incoming: Incoming, candidates: Candidates): Qso | null => {
  const { contacts, isTaken } = candidates;
  const { ids, record } = incoming;
  const isKnownAs = (qso: Qso, service: Service) =>
    ids[service] !== null && SERVICE_ORIGINS[service].isTwin(qso, ids[service]);
  const same = contacts.find((qso) => hasSameId(incoming, qso) || SERVICES.some((service) => isKnownAs(qso, service)));
  if (same) return same;
  const free = contacts.filter((qso) => !isTaken(qso));
  const hasAll = (qso: Qso) => saySame(fileOrigin.merge(getLayers(qso), record), getLayers(qso));
  return free.find(hasAll) ?? findAlike(incoming, { ...candidates, contacts: free });
};

const findAlike = (incoming: Incoming, { contacts, isTaken, facts }: Candidates): Qso | null => {
  const alike = contacts.filter(
    (qso) =>
      !hasOtherId(incoming, qso) &&
      findLikeness(incoming, qso, facts)?.kind === "same" &&
      !(isTaken(qso) && isAnotherContact(incoming, qso)),
  );
  if (alike.length < 2) return alike[0] ?? null;
  const rankOf = (qso: Qso) => (isContainedIn(incoming, qso) ? 0 : isTaken(qso) ? 2 : 1);
  return pickBest(incoming, alike, (a, b) => rankOf(a) - rankOf(b));
};

/** The decision about a record that contradicts what files said about a contact. */
export type Judgement =
  { kind: "match"; qso: Qso } | { kind: "doubtful"; contacts: readonly Qso[]; names: readonly string[] } | null;

/**
 * Decides after the whole file has been read. If one program writes two different records, they are two contacts,
 * unless the file repeats an earlier log without the first record: then the record was corrected. Two programs can each
 * be wrong in values they looked up; if they differ in more than that, the record is doubtful.
 */
export const judge = (incoming: Incoming, candidates: Candidates, cameBefore: boolean): Judgement => {
  const known = findKnown(incoming, candidates);
  if (known) return { kind: "match", qso: known };
  const others = findLooser(incoming, candidates);
  const found = others.find(({ likeness: { kind, sameProgram } }) => (sameProgram ? cameBefore : kind === "looser"));
  if (found) return { kind: "match", qso: found.qso };
  const unclear = others.filter(({ likeness: { sameProgram } }) => !sameProgram);
  if (unclear.length === 0) return null;
  return {
    kind: "doubtful",
    contacts: unclear.map(({ qso }) => qso),
    names: unclear[0]!.likeness.names,
  };
};

/** Contacts that the record may mean although files contradict it, the most likely first. */
const findLooser = (
  incoming: Incoming,
  { contacts, isTaken, facts }: Candidates,
): { qso: Qso; likeness: Likeness }[] => {
  if (!isOfLog(incoming)) return [];
  // A file describes each contact once. A leftover of an earlier file can still mean a contact that this file
  // described.
  const isFree = (qso: Qso) => incoming.leftoverId !== undefined || !isTaken(qso);
  return contacts
    .filter((qso) => isFree(qso) && !hasOtherId(incoming, qso))
    .map((qso) => ({ qso, likeness: findLikeness(incoming, qso, facts) }))
    .filter((one): one is { qso: Qso; likeness: Likeness } => one.likeness !== null)
    .sort((a, b) => a.likeness.names.length - b.likeness.names.length);
};

const pickBest = (incoming: Incoming, contacts: readonly Qso[], compare: (a: Qso, b: Qso) => number): Qso =>
  contacts.toSorted((a, b) => compare(a, b) || compareFits(computeFit(incoming, a), computeFit(incoming, b)))[0]!;

/** Within one service, equal ids mean the same record. If an id is missing, the values are compared. */
const isSameRecord = (incoming: Incoming, qso: Qso, facts: Facts): boolean => {
  if (hasSameId(incoming, qso)) return true;
  const { source } = incoming;
  const id = isService(source) ? incoming.ids[source] : null;
  if (isService(source) && id !== null && SERVICE_ORIGINS[source].isTwin(qso, id)) return true;
  if (!isService(source)) {
    const known = isOfLog(incoming) ? undefined : qso.own?.report;
    return known !== undefined && !hasOtherId(incoming, qso) && saysSame(incoming, known.fields, facts);
  }
  if (incoming.ids[source] !== null || qso[ID_COLUMN[source]] !== null) return false;
  const known = SERVICE_ORIGINS[source].details(qso);
  return known !== null && saysSame(incoming, known, facts);
};

/** Whether the record could mean this contact of another origin. */
export const isCandidate = (incoming: Incoming, qso: Qso): boolean =>
  !hasSpoken(incoming, qso) && !hasOtherId(incoming, qso) && fitsKey(incoming.key, qso);

/** Whether this origin already gave the contact another record. */
const hasSpoken = (incoming: Incoming, qso: Qso): boolean => {
  const { source, record } = incoming;
  if (isService(source)) return qso[source] !== null;
  if (!record.brought) return qso.own?.[getSlot(incoming)] !== undefined;
  const { own, ...said } = buildLayers(record.brought);
  const isSaid = (service: Service) => qso[service] !== null || qso.own?.brought?.[service] !== undefined;
  return (
    (own?.file !== undefined && qso.own?.file !== undefined) ||
    (own?.report !== undefined && qso.own?.report !== undefined) ||
    SERVICES.some((service) => said[service] !== null && isSaid(service))
  );
};

/** A report of the first service, imported as a file, is another origin than a log. */
const getSlot = ({ record }: Incoming): "file" | "report" => getFileSlot(record);

type Named = Record<`${Service}Id`, string | null>;

export const hasSameId = ({ ids }: Incoming, known: Named): boolean => {
  for (const service of SERVICES) {
    if (ids[service] !== null && ids[service] === known[ID_COLUMN[service]]) return true;
  }
  return false;
};

const hasOtherId = ({ ids }: Incoming, known: Named): boolean => {
  for (const service of SERVICES) {
    const id = known[ID_COLUMN[service]];
    if (ids[service] !== null && id !== null && ids[service] !== id) return true;
  }
  return false;
};

type Comparable = Pick<
  Qso,
  "call" | "startedAt" | "band" | "mode" | "submode" | "modeGroup" | "stationCallsign" | "propMode" | "satName"
>;

/**
 * Whether a key and a contact can be the same: callsign, own callsign, band, mode group, satellite, and at most half an
 * hour apart.
 */
export const fitsKey = (key: ContactKey, qso: Comparable): boolean => {
  if (key.call !== qso.call || Math.abs(key.at - qso.startedAt) > TOLERANCE) return false;
  if (key.stationCallsign && qso.stationCallsign && key.stationCallsign !== qso.stationCallsign) return false;
  if (key.mode && qso.modeGroup && key.mode.group !== qso.modeGroup) return false;
  const satellite = qso.propMode === "SAT" || qso.satName !== null;
  if (key.satellite !== satellite) return false;
  const sameSatellite = key.satName !== null && key.satName === qso.satName;
  if (satellite && key.satName !== null && qso.satName !== null && !sameSatellite) return false;
  return (key.band !== null && key.band === qso.band) || sameSatellite;
};

/** Whether the record means a contact that the user deleted. */
export const meansDeleted = (incoming: Incoming, tombstone: Tombstone): boolean =>
  hasSameId(incoming, tombstone) ||
  (getMinute(incoming.key.at) === getMinute(tombstone.startedAt) &&
    !hasOtherId(incoming, tombstone) &&
    fitsKey(
      { ...incoming.key, satellite: false, satName: null },
      { ...tombstone, mode: null, submode: null, propMode: null, satName: null },
    ));

const saysSame = (incoming: Incoming, fields: Record<string, string>, facts: Facts): boolean => {
  const said = parseKey(fields, facts);
  if (typeof said === "string") return false;
  const { key } = incoming;
  return (
    said.call === key.call &&
    said.stationCallsign === key.stationCallsign &&
    said.band === key.band &&
    said.mode?.mode === key.mode?.mode &&
    said.mode?.submode === key.mode?.submode &&
    said.satName === key.satName &&
    (said.exact && key.exact ? said.at === key.at : getMinute(said.at) === getMinute(key.at))
  );
};

export const computeFit = ({ key }: Incoming, qso: Comparable): Fit => {
  const sameMinute = getMinute(key.at) === getMinute(qso.startedAt);
  const comparable = !sameMinute || (key.exact && qso.startedAt % MINUTE !== 0);
  return {
    otherMinute: sameMinute ? 0 : 1,
    distance: comparable ? Math.abs(key.at - qso.startedAt) : 0,
    modeRank: rankMode(key, qso),
  };
};

const rankMode = ({ mode }: ContactKey, qso: Comparable): Fit["modeRank"] => {
  if (mode === null || mode.mode !== qso.mode) return 2;
  return mode.submode === qso.submode ? 0 : 1;
};

export const compareFits = (a: Fit, b: Fit): number =>
  a.otherMinute - b.otherMinute || a.distance - b.distance || a.modeRank - b.modeRank;
