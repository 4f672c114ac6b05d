import type { AdifProblem } from "../adif/reader.ts";
import type { Asked } from "../awards/book.ts";
import type { NeededView, Progress } from "../domain/awards/award.ts";
import type { OwnLocation } from "../domain/radio/own-place.ts";
import type { FilterParameter, QsoParameters } from "../domain/contact/qso-filter.ts";
import type { DuplicateKind } from "../domain/jobs/duplicates.ts";
import type { AsOf } from "../kernel/time-text.ts";
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
import type { ClassCounts, ReconciledContact } from "../sync/reconcile/part.ts";
import type { Proof } from "../domain/awards/card-words.ts";

/** The own callsigns that were asked for and made no contact; left out where there are none. */
export interface WithoutContacts {
  withoutContacts?: string[];
}

/** What is asked of a log as it was at the end of a day, or at a moment. */
export interface PastParameters {
  asOf?: string | null;
}

/** An answer about a log as it was says so. */
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
  /** Who says what stands in each field, and the job or the day that brought it. */
  why: WhyDocument;
  /** The newest with the same call, and how many there are. */
  others: QsoView[];
  othersTotal: number;
}

export type StatisticsDocument = Statistics & WithoutContacts & OfPast;

export interface AwardsDocument extends WithoutContacts, OfPast {
  awards: Progress[];
  /** The entities that contacts were made from, the most usual first. */
  locations: readonly OwnLocation[];
}

/** Which own callsigns are meant: one or several, with commas between. */
export interface StationParameters extends PastParameters {
  station?: string;
}

export interface FigureParameters extends PastParameters {
  search?: string;
}

export type ListParameters = QsoParameters & PastParameters;

/** How awards are asked for. */
export type AwardParameters = Asked & PastParameters;

export interface WhyDocument {
  fields: {
    field: PlainName;
    value: unknown;
    by: Speaker;
    /** The job that brought it; none for what was typed by hand. */
    jobId: number | null;
    source: Source | null;
    /** When it was brought or typed; null where that is older than what is kept. */
    at: number | null;
  }[];
  /** Since when change records are kept of the contact. */
  since: number | null;
}

export interface CardsDocument extends OfPast {
  id: string;
  label: string;
  cards: Proof[];
}

/** A filter, the form in which contacts go out, and which columns, where the form has any. */
export type ExportParameters = FilterParameters & { format?: string; columns?: string };

export type FilterParameters = Partial<Record<FilterParameter, string>>;

/** What a page of rows is asked for with. */
export interface PageParameters {
  limit?: number;
  cursor?: string;
}

export interface JobParameters extends PageParameters {
  source?: string;
  /** One state or several, with commas between. */
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

export interface ChangeView extends Pick<SeenChange, "id" | "qsoId" | "kind"> {
  before: Snapshot | null;
  after: Snapshot | null;
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

/** A job with a page of each of its lists. */
export interface JobStory extends JobDocument {
  changes: ChangesDocument;
  leftovers: LeftoversDocument;
  /** The contacts that its records left over may mean. */
  candidates: NamedContact[];
}

export interface RolledBackDocument extends JobDocument {
  rollback: { deleted: number; restored: number; kept: number; later: LaterJob[] };
}

export type SyncOptions = Omit<JobOptions, "since"> & {
  since?: string | number;
  dryRun?: boolean;
  /** To download the logbook of another callsign than one's own. */
  confirm?: boolean;
};

/** Which contacts a person means, and what is to become of them. */
export interface RepairRequest {
  /** By the filters of the log; an empty one means every contact. */
  filter: FilterParameters;
  /** Values by the names of the interface, `ownGrid`, or names of ADIF. */
  set?: Record<string, unknown>;
  clear?: readonly string[];
  shiftMinutes?: number;
  byFrequency?: boolean;
  ftModes?: string;
  delete?: boolean;
  takeOut?: string;
  /** Of what is taken out only what the account of this job brought. */
  ofJob?: number;
}

/** One row of a group, as far as it is compared. */
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

/** One group, by any of its rows, or all of a kind. */
export interface MergeRequest {
  kind?: string;
  qsoId?: number;
}

export type ReconcileCounts = ClassCounts & Record<"deleted" | "leftovers", number>;

export interface DeletedContact {
  id: number;
  call: string;
  startedAt: number;
  band: string | null;
  at: Service[];
}

export interface WaitingRecord {
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
  /** Of the class that was asked for. */
  contacts: ReconciledContact[];
  deleted: DeletedContact[];
  leftovers: WaitingRecord[];
  nextCursor: string | null;
}

export interface ReconcileParameters extends PageParameters {
  class?: string;
}

/** What is to become of records left over. */
export interface SettleRequest {
  act: string;
  leftovers: readonly { id: number; qsoId?: number }[];
}

/** A file by its path, or what can be read only once. */
export type AdifInput = string | AsyncIterable<Uint8Array>;

export interface ImportOptions {
  dryRun?: boolean;
  /** Hears what the reader stumbled over, before the job ends or after. */
  warn?: (problem: AdifProblem) => void;
}

/** Hears how a job goes on. */
export type JobHearer = (progress: JobProgress, stats: JobStats) => void;

export type NeededDocument = NeededView;
