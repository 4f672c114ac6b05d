import type { AccountEventName } from "../../domain/people/account-event.ts";
import type { Actor, AdminActionName } from "../../domain/people/actor.ts";
import type { Witness } from "../../domain/awards/award.ts";
import type { FieldName, ValueOf } from "../../domain/contact/fields.ts";
import type { ModeGroup } from "../../domain/radio/mode.ts";
import type { TargetKind } from "../../domain/people/notice.ts";
import type { Part, RecordOrigin } from "../../domain/contact/layers.ts";
import type { SyncErrorCode } from "../../domain/jobs/provider.ts";
import type { Service, Source } from "../../domain/jobs/source.ts";
import type { ChangeKind, JobStatus, JobTrigger } from "../../domain/jobs/sync-job.ts";
import type { Role } from "../../domain/people/user.ts";

/** The confirmations share three columns of `qsos`, and the services' ids have a table of their own. */
type StoredElsewhere = `${Witness}${"Id" | "Confirmed" | "ConfirmedAt" | "Entity" | "State" | "Zone" | "Grids"}`;

type ColumnOf<Value> = Value extends boolean ? number : Value;

/** The columns of the fields of a contact. */
type FieldColumns = { [Name in Exclude<FieldName, StoredElsewhere>]: ColumnOf<ValueOf<Name>> };

/** The rows of a query: `many<RowOf<"users", "id" | "username">>`. Without columns, whole rows. */
export type RowOf<Table extends keyof Tables, Column extends keyof Tables[Table] = keyof Tables[Table]> = Pick<
  Tables[Table],
  Column
>;

/**
 * The columns of every table, as queries name them. `test/storage/rows.test.ts` compares them with the migrated database.
 * 0 and 1 are numbers; JSON is a string.
 */
export interface Tables {
  migrations: {
    name: string;
    hash: string;
    appliedAt: number;
  };
  users: {
    id: number;
    username: string;
    passwordHash: string;
    callsign: string | null;
    email: string | null;
    logVersion: number;
    recordedSince: number;
    createdAt: number;
    deletedAt: number | null;
    role: Role;
    lastSeen: number | null;
  };
  sessions: {
    id: string;
    userId: number;
    parentId: string | null;
    begunBy: "provider" | "proxy" | null;
    createdAt: number;
    expiresAt: number;
    lastUsedAt: number;
    confirmedAt: number | null;
    factorAt: number | null;
    address: string | null;
    userAgent: string | null;
  };
  api_tokens: {
    id: number;
    userId: number;
    name: string;
    scope: "read" | "write" | "feed" | "lookup";
    tokenHash: string;
    createdAt: number;
    factorAt: number | null;
    expiresAt: number | null;
    lastUsedAt: number | null;
  };
  workers: {
    id: string;
    host: string;
    place: string | null;
    pid: number;
    born: string | null;
    startedAt: number;
    beatAt: number;
    aliveUntil: number;
  };
  sync_jobs: {
    id: number;
    userId: number;
    source: Source;
    accountHash: string | null;
    client: string | null;
    feedDay: number | null;
    latest: string | null;
    triggerKind: JobTrigger;
    status: JobStatus;
    options: string;
    dryRun: number;
    confirmed: number;
    attempt: number;
    uploadFile: string | null;
    workerId: string | null;
    fence: number;
    createdAt: number;
    startedAt: number | null;
    stopAskedAt: number | null;
    finishedAt: number | null;
    stats: string;
    progress: string | null;
    cursorBefore: string | null;
    cursorAfter: string | null;
    gains: string | null;
    gainCounts: string | null;
    errorCode: SyncErrorCode | null;
    errorMessage: string | null;
    rollingBackSince: number | null;
    rollback: string | null;
    rolledBackAt: number | null;
    rolledBackBy: number | null;
    prunedAt: number | null;
  };
  origins: {
    id: number;
    bit: number;
    name: RecordOrigin;
  };
  qsos: FieldColumns & {
    id: number;
    userId: number;
    createdAt: number;
    updatedAt: number;
    rulesVersion: number;
    recordedBy: number;
    confirmedBy: number;
    confirmedTimes: string | null;
    confirmedAs: string | null;
  };
  qso_service_ids: {
    userId: number;
    origin: number;
    externalId: string;
    qsoId: number;
  };
  records: {
    id: number;
    userId: number;
    qsoId: number;
    placedAs: number | null;
    origin: number;
    recordKey: string;
    filedAs: string | null;
    jobId: number | null;
    receivedAt: number;
    outdated: number;
    record: string;
  };
  sync_leftovers: {
    id: number;
    userId: number;
    jobId: number;
    source: Source;
    kind: "unmatched" | "rejected";
    reason: string;
    part: Part;
    externalId: string | null;
    record: string;
    candidates: string;
    createdAt: number;
    resolvedAt: number | null;
    resolvedByJob: number | null;
  };
  qso_tombstones: {
    id: number;
    userId: number;
    qsoId: number | null;
    jobId: number | null;
    /** The contact that it was merged into. */
    mergedInto: number | null;
    deletedAt: number;
    call: string;
    startedAt: number;
    band: string | null;
    modeGroup: ModeGroup | null;
    stationCallsign: string | null;
  };
  feed_names: {
    userId: number;
    client: string;
    name: string;
    qsoId: number;
  };
  job_repeats: {
    id: number;
    userId: number;
    jobId: number;
    fromId: number;
    toId: number;
    records: string;
  };
  user_fields: {
    userId: number;
    name: string;
    type: string | null;
    allowed: string | null;
  };
  qso_changes: {
    id: number;
    userId: number;
    jobId: number | null;
    qsoId: number;
    cause: "job" | "hand" | "rollback";
    changeType: ChangeKind | "unchanged";
    beforeData: string | null;
    afterData: string | null;
    updatedBefore: number | null;
    createdAt: number;
  };
  admin_actions: {
    id: number;
    at: number;
    adminId: number | null;
    adminName: string;
    via: Actor["via"];
    action: AdminActionName;
    targetId: number | null;
    targetName: string | null;
    details: string;
  };
  auto_sync_settings: {
    userId: number;
    firstEnabled: number;
    firstIntervalHours: number;
    firstLastSyncAt: number | null;
    firstNextSyncAt: number | null;
    secondEnabled: number;
    secondIntervalHours: number;
    secondLastSyncAt: number | null;
    secondNextSyncAt: number | null;
    createdAt: number;
    updatedAt: number;
  };
  service_credentials: {
    userId: number;
    source: Service;
    account: string;
    sealed: Uint8Array;
    callsign: string | null;
    /** The callsign whose logbook the account opens, if the service has said so. */
    book: string | null;
    /** Another callsign that the user agreed to download. */
    agreedBook: string | null;
    loginHash: string;
    state: "ok" | "rejected" | "unknown";
    stateReason: string | null;
    checkedAt: number | null;
    failures: number;
    updatedAt: number;
  };
  sync_cursors: {
    userId: number;
    source: Service;
    account: string;
    cursorData: string;
    updatedAt: number;
  };
  account_leases: {
    source: Service;
    loginHash: string;
    workerId: string;
    jobId: number;
    fence: number;
    takenAt: number;
  };
  paces: {
    name: string;
    lastAt: number;
  };
  radios: {
    id: number;
    userId: number;
    name: string;
    state: string;
    updatedAt: number;
  };
  repair_targets: {
    id: number;
    userId: number;
    jobId: number;
    qsoId: number | null;
    otherId: number | null;
  };
  totp_secrets: {
    userId: number;
    /** Null until the first code is confirmed. */
    sealed: Uint8Array | null;
    /** A new secret that is being set up. It replaces the old one when a code of it is confirmed. */
    pending: Uint8Array | null;
    /** The time step of the last accepted code. This code and older ones are refused. */
    lastStep: number;
    createdAt: number;
    lastUsedAt: number | null;
  };
  recovery_codes: {
    userId: number;
    codeHash: string;
    usedAt: number | null;
  };
  passkeys: {
    id: number;
    userId: number;
    credentialId: string;
    /** The public key, sealed so that nobody who can write to the database can replace it. */
    sealed: Uint8Array;
    transports: string;
    counter: number;
    name: string;
    createdAt: number;
    lastUsedAt: number | null;
  };
  identities: {
    id: number;
    userId: number;
    issuer: string;
    /** The permanent id of the account at the provider. */
    subject: string;
    /** The name of the account at the provider. */
    label: string | null;
    gaveRole: number;
    createdAt: number;
    lastUsedAt: number | null;
  };
  one_time_codes: {
    hash: string;
    userId: number;
    purpose: "password_link" | "terminal" | "sign_in" | "confirm" | "enrol";
    data: string;
    expiresAt: number;
  };
  attempts: {
    id: number;
    name: string;
    at: number;
  };
  notice_targets: {
    id: number;
    userId: number;
    kind: TargetKind;
    /** The part of the address that can be shown. */
    host: string;
    sealed: Uint8Array;
    events: string;
    createdAt: number;
    /** When the next attempt is allowed. */
    nextAt: number;
    /** In a row. */
    failures: number;
    lastSentAt: number | null;
    problem: string | null;
  };
  notices: {
    id: number;
    userId: number;
    targetId: number;
    body: string;
    createdAt: number;
  };
  account_events: {
    id: number;
    userId: number;
    at: number;
    event: AccountEventName;
    byName: string | null;
    address: string | null;
    userAgent: string | null;
    details: string;
  };
  installation: {
    name: string;
    value: string;
  };
}
