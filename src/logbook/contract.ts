import type { AdifProblem } from "../adif/reader.ts";
import type { Asked, NeededView, Progress } from "../domain/awards/award.ts";
import type { OwnLocation } from "../domain/radio/own-place.ts";
import type { FilterParameter, QsoParameters } from "../domain/contact/qso-filter.ts";
import type { DuplicateKind } from "../domain/jobs/duplicates.ts";
import type { AsOf } from "../kernel/time-text.ts";
import type { Layers } from "../domain/contact/layers.ts";
import type { NamedContact } from "../domain/contact/named-contact.ts";
import type { Qso } from "../domain/contact/qso.ts";
import type { QsoView } from "../domain/contact/qso-view.ts";
import type { Chapter } from "../domain/jobs/job-story.ts";
import type { Service, Source } from "../domain/jobs/source.ts";
import type { PlainName } from "../domain/contact/fields.ts";
import type { Speaker } from "../domain/contact/why.ts";
import type { Statistics } from "../domain/statistics/statistics.ts";
import type { JobDetail, JobInList, JobOptions, JobProgress, JobStats } from "../domain/jobs/sync-job.ts";
import type { SeenChange, Touch } from "../storage/log/qso-changes.ts";
import type { Snapshot } from "../storage/log/qsos.ts";
import type { Leftover } from "../storage/log/leftovers.ts";
import type { LaterJob } from "../domain/jobs/rollback-words.ts";
import type { FieldDiff } from "../sync/undo/diff.ts";
import type { ClassCounts, ReconciledContact } from "../sync/reconcile/scan.ts";
import type { Proof } from "../domain/awards/card-words.ts";

/** Requested own callsigns without contacts; left out if there are none. */
export interface WithoutContacts {
  withoutContacts?: string[];
}

/** Asks for the log as of the end of a day, or as of a time. */
export interface PastParameters {
  asOf?: string | null;
}

/** An answer about a past log says so. */
export interface OfPast {
  asOf?: AsOf;
}

export interface QsoListDocument extends WithoutContacts, OfPast {
  qsos: QsoView[];
  total: number;
  nextCursor: string | null;
  previousCursor: string | null;
}

export interface ContactStory {
  qso: QsoView;
  history: Touch[];
  /** The source of each field's value, and the job or day that brought it. */
  why: WhyDocument;
  /** The newest other contacts with the callsign, and their number. */
  others: QsoView[];
  othersTotal: number;
  /** The bands and modes on which this callsign was worked. */
  slots: CallSlot[];
}

export interface CallSlot {
  band: string;
  mode: string;
  state: "confirmed" | "worked";
}

export type StatisticsDocument = Statistics & WithoutContacts & OfPast;

export interface AwardsDocument extends WithoutContacts, OfPast {
  awards: Progress[];
  /** The entities that contacts were made from, most frequent first. */
  locations: readonly OwnLocation[];
}

/** One or several own callsigns, separated by commas. */
export interface StationParameters extends PastParameters {
  station?: string;
}

export interface FigureParameters extends PastParameters {
  search?: string;
}

export type ListParameters = QsoParameters & PastParameters;

export type AwardParameters = Asked & PastParameters;

export interface WhyDocument {
  fields: {
    field: PlainName;
    value: unknown;
    by: Speaker;
    /** The job that brought it; null for typed values. */
    jobId: number | null;
    source: Source | null;
    /** When it was brought or typed; null if that is no longer recorded. */
    at: number | null;
  }[];
  /** How the callsign decided the entity; null if a record says which it is. */
  entityRule: string | null;
  /** Since when changes of the contact are recorded. */
  since: number | null;
}

export interface CardsDocument extends OfPast {
  id: string;
  label: string;
  cards: Proof[];
}

/** A filter, the format, and the columns if the format has any. */
export type ExportParameters = FilterParameters & { format?: string; columns?: string };

export type FilterParameters = Partial<Record<FilterParameter, string>>;

interface PageParameters {
  limit?: number;
  cursor?: string;
}

export interface JobParameters extends PageParameters {
  source?: string;
  /** One or several states, separated by commas. */
  status?: string;
}

export interface JobDocument {
  job: JobDetail;
}

export interface JobListDocument {
  jobs: JobInList[];
  active: number;
  nextCursor: string | null;
}

/** A contact before or after a change. A service with one question has its record instead of a layer. */
export type ChangedContact = Omit<Snapshot, keyof Layers> & Record<keyof Layers, object | null>;

export interface ChangeView extends Pick<SeenChange, "id" | "qsoId" | "kind"> {
  before: ChangedContact | null;
  after: ChangedContact | null;
  diff: FieldDiff[];
}

export interface ChangeParameters extends PageParameters {
  kind?: Chapter;
}

export interface ChangesDocument {
  changes: ChangeView[];
  nextCursor: string | null;
}

export interface LeftoverView extends Pick<
  Leftover,
  "id" | "kind" | "reason" | "candidates" | "resolvedAt" | "resolution"
> {
  record: Record<string, string>;
  actions: { dismiss: boolean };
}

export interface LeftoversDocument {
  leftovers: LeftoverView[];
  nextCursor: string | null;
}

export interface LeftoverParameters extends PageParameters {
  kind?: Leftover["kind"];
}

/** A job with the first page of each of its lists. */
export interface JobStory extends JobDocument {
  changes: ChangesDocument;
  leftovers: LeftoversDocument;
  /** The contacts that its unresolved records could match. */
  candidates: NamedContact[];
}

export interface RolledBackDocument extends JobDocument {
  rollback: { deleted: number; restored: number; kept: number; later: LaterJob[] };
}

export type SyncOptions = Omit<JobOptions, "since"> & {
  since?: string | number;
  dryRun?: boolean;
  /** Allows downloading another callsign's logbook. */
  confirm?: boolean;
};

/** The contacts to change, and how. */
export interface RepairRequest {
  /** The filters of the log; an empty one selects every contact. */
  filter: FilterParameters;
  /** Values by their API names, `ownGrid`, or ADIF names. */
  set?: Record<string, unknown>;
  clear?: readonly string[];
  shiftMinutes?: number;
  byFrequency?: boolean;
  ftModes?: string;
  delete?: boolean;
  takeOut?: string;
  /** Removes only what the account of this job brought. */
  ofJob?: number;
}

/** A contact of a group, with the fields that are compared. */
export type DuplicateContact = Pick<
  Qso,
  | "id"
  | "call"
  | "startedAt"
  | "endedAt"
  | "band"
  | "mode"
  | "submode"
  | "stationCallsign"
  | "firstConfirmed"
  | "secondConfirmed"
  | "cardConfirmed"
>;

export interface DuplicatesDocument {
  groups: { kind: DuplicateKind; why: readonly DuplicateKind[]; contacts: DuplicateContact[] }[];
  kinds: Record<DuplicateKind, number>;
  total: number;
  nextCursor: string | null;
}

export interface DuplicateParameters extends PageParameters {
  kind?: string;
}

/** One group, by any of its contacts, or all groups of a kind. */
export interface MergeRequest {
  kind?: string;
  qsoId?: number;
}

type ReconcileCounts = ClassCounts & Record<"deleted" | "leftovers", number>;

interface DeletedContact {
  id: number;
  call: string;
  startedAt: number;
  band: string | null;
  at: Service[];
}

interface WaitingRecord {
  id: number;
  jobId: number;
  source: Service;
  kind: "unmatched" | "rejected";
  reason: string;
  record: Record<string, string>;
  candidates: NamedContact[];
}

export interface ReconcileDocument {
  counts: ReconcileCounts;
  /** In the requested class. */
  contacts: ReconciledContact[];
  deleted: DeletedContact[];
  leftovers: WaitingRecord[];
  nextCursor: string | null;
}

export interface ReconcileParameters extends PageParameters {
  class?: string;
}

/** What to do with unresolved records. */
export interface SettleRequest {
  act: string;
  leftovers: readonly { id: number; qsoId?: number }[];
}

/** The path of a file, or a stream. */
export type AdifInput = string | AsyncIterable<Uint8Array>;

export interface ImportOptions {
  dryRun?: boolean;
  /** Called for problems in the file, before or after the job ends. */
  warn?: (problem: AdifProblem) => void;
}

/** Called with the progress of a job. */
export type JobHearer = (progress: JobProgress, stats: JobStats) => void;

export interface Hearing {
  onProgress?: JobHearer;
}

export type NeededDocument = NeededView;
