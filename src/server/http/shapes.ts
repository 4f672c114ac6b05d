import type { TSchema } from "typebox";
import { TOKEN_SCOPES } from "../../people/tokens.ts";
import { Type } from "typebox";
import { MAX_INTERVAL_HOURS, MIN_INTERVAL_HOURS } from "../../domain/jobs/auto-sync.ts";
import { byService, SERVICES, SOURCES } from "../../domain/jobs/source.ts";
import { REPAIR_KINDS } from "../../domain/jobs/repair.ts";
import { JOB_STATUSES } from "../../domain/jobs/sync-job.ts";

/** An object without other fields. */
export const only = <T extends Record<string, TSchema>>(fields: T, options: { title?: string } = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options });

/** A field of the same shape for each name. */
export const fields = <N extends string, T extends TSchema>(names: readonly N[], shape: T): Record<N, T> =>
  Object.fromEntries(names.map((name) => [name, shape])) as Record<N, T>;

export const words = <const T extends readonly string[]>(values: T) => Type.Unsafe<T[number]>(Type.Enum([...values]));
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Ms = Type.Integer();
export const Text = Type.String();
export const Short = Type.String({ maxLength: 200 });
export const ServiceWord = words(SERVICES);
export const SourceWord = words(SOURCES);
export const IdParam = only({ id: Id });
export const ServiceParam = only({ source: ServiceWord });

/** Checked later with the other parameters of its list, and documented as an integer. */
export const WrittenLimit = Type.Optional(
  Type.String({ documentedAs: { type: "integer", minimum: 1, maximum: 500, default: 50 } }),
);
export const Limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 500 }));
export const Cursor = Type.Optional(Type.String({ maxLength: 2000 }));
export const NextCursor = orNull(Text);

/** The fields that identify a contact to people. */
export const Named = {
  id: Id,
  call: Text,
  startedAt: Ms,
  band: orNull(Text),
  mode: orNull(Text),
  submode: orNull(Text),
  stationCallsign: orNull(Text),
};

/** The day whose end is asked for. */
export const AsOf = { asOf: Type.Optional(Text) };
/** In answers about a log as of a day. */
export const OfPast = { asOf: Type.Optional(only({ at: Ms, recordedSince: Ms })) };

export const UserShape = only(
  {
    id: Id,
    username: Text,
    callsign: orNull(Text),
    email: orNull(Text),
    role: words(["user", "admin"] as const),
    isAdmin: Type.Boolean(),
    lastSeen: orNull(Ms),
    createdAt: Ms,
  },
  { title: "User" },
);

/** Of an API token. Keys of programs have other scopes. */
export const Scope = words(["read", "write"] as const);
export const AnyScope = words(TOKEN_SCOPES);
export const TokenShape = only(
  {
    id: Id,
    name: Text,
    scope: AnyScope,
    createdAt: Ms,
    expiresAt: orNull(Ms),
    lastUsedAt: orNull(Ms),
  },
  { title: "Token" },
);

export const SignInShape = only({ token: Text, expiresAt: Ms, user: UserShape }, { title: "SignIn" });

/** Asked after the right password, if the user has a second factor. */
const FactorQuestionShape = only(
  {
    challenge: Text,
    expiresAt: Ms,
    factors: Type.Array(words(["code", "passkey", "recovery"] as const)),
    passkey: orNull(Type.Record(Text, Type.Unknown())),
  },
  { title: "Challenge" },
);
export const EntryShape = Type.Union([SignInShape, FactorQuestionShape]);

/** The browser's answer for a passkey, verified as a whole. */
export const PasskeyAnswerShape = Type.Record(Text, Type.Unknown());
export const Code = Type.String({ maxLength: 100 });

export const Credentials = only({ username: Short, password: Type.String({ maxLength: 1000 }) });

export const NewAccount = only({
  username: Short,
  password: Type.String({ maxLength: 1000 }),
  callsign: Type.Optional(orNull(Short)),
  email: Type.Optional(orNull(Short)),
});

export const StatusWord = words(JOB_STATUSES);

export const Count = Type.Integer({ minimum: 0 });

/** Requested own callsigns without contacts. */
export const SilentStations = Type.Optional(Type.Array(Text));

const PlacesShape = only({
  entities: Type.Array(Type.Integer()),
  bands: Type.Array(Text),
  states: Type.Array(Text),
  zones: Type.Array(Type.Integer()),
  grids: Type.Array(Text),
});
const PlaceCounts = only({ entities: Count, bands: Count, states: Count, zones: Count, grids: Count });

export const JobShape = only(
  {
    id: Id,
    userId: Id,
    source: SourceWord,
    client: orNull(Text),
    latest: orNull(
      Type.Array(
        only({
          at: Ms,
          qsoId: orNull(Id),
          call: orNull(Text),
          startedAt: orNull(Ms),
          band: orNull(Text),
          mode: orNull(Text),
          entity: orNull(Text),
          news: Type.Array(Text),
        }),
      ),
    ),
    trigger: words(["manual", "auto", "cli"] as const),
    status: StatusWord,
    dryRun: Type.Boolean(),
    attempt: Type.Integer({ minimum: 1 }),
    createdAt: Ms,
    startedAt: orNull(Ms),
    finishedAt: orNull(Ms),
    durationMs: orNull(Ms),
    stats: only({
      fetched: Count,
      added: Count,
      updated: Count,
      deleted: Count,
      unchanged: Count,
      unmatched: Count,
      rejected: Count,
      newlyConfirmed: Count,
    }),
    reasons: only({ repeated: Count, deleted: Count }),
    progress: orNull(only({ phase: Text, done: Count, total: Type.Optional(Count) })),
    cursorBefore: Type.Unknown(),
    cursorAfter: Type.Unknown(),
    gains: orNull(only({ worked: PlacesShape, confirmed: PlacesShape })),
    error: orNull(only({ code: Text, message: Text })),
    rolledBackAt: orNull(Ms),
    rolledBackBy: orNull(Id),
    prunedAt: orNull(Ms),
    rollingBackSince: orNull(Ms),
    repair: orNull(
      only({ filter: orNull(Type.Record(Text, Text)), change: Type.Object({ kind: words(REPAIR_KINDS) }) }),
    ),
    stale: Type.Boolean(),
    actions: only({ rollback: Type.Boolean(), reason: orNull(Text), undo: Type.Boolean(), undoReason: orNull(Text) }),
  },
  { title: "Job" },
);

/** Lists count what a job added, without names. */
export const ListedJobShape = only(
  {
    ...JobShape.properties,
    gains: orNull(only({ worked: PlaceCounts, confirmed: PlaceCounts })),
  },
  { title: "ListedJob" },
);

/** A later job that completed, and what a rollback would also remove of it. */
export const LaterJob = only({ jobId: Id, source: SourceWord, deleted: Count, restored: Count, confirmations: Count });

/** A contact in a preview. */
export const Previewed = { qsoId: Id, call: Text, startedAt: Ms, band: orNull(Text), mode: orNull(Text) };

export const Kept = only({ ...Previewed, field: Text, value: Type.Unknown(), reason: Text });

export const ServiceShape = only(
  {
    source: ServiceWord,
    label: Text,
    fields: Type.Array(only({ name: Text, label: Text, secret: Type.Boolean(), required: Type.Boolean() })),
    configured: Type.Boolean(),
    state: words(["ok", "rejected", "unknown", "sealed_elsewhere"] as const),
    reason: orNull(Text),
    checkedAt: orNull(Ms),
    callsign: orNull(Text),
    book: orNull(Text),
    warning: orNull(Text),
  },
  { title: "Service" },
);

const ScheduleShape = only({
  enabled: Type.Boolean(),
  intervalHours: Type.Integer({ minimum: MIN_INTERVAL_HOURS, maximum: MAX_INTERVAL_HOURS }),
  lastSyncAt: orNull(Ms),
  nextSyncAt: orNull(Ms),
  paused: orNull(words(["credentials", "not_configured"] as const)),
});

export const SettingsShape = only(
  byService(() => ScheduleShape),
  { title: "AutoSyncSettings" },
);

const ScheduleChange = only({
  enabled: Type.Optional(Type.Boolean()),
  intervalHours: Type.Optional(Type.Integer({ minimum: MIN_INTERVAL_HOURS, maximum: MAX_INTERVAL_HOURS })),
});

export const SettingsChangeShape = only(byService(() => Type.Optional(ScheduleChange)));

export const ErrorShape = only(
  {
    error: only({
      code: Text,
      message: Text,
      rule: Type.Optional(Text),
      fields: Type.Optional(Type.Array(only({ path: Text, message: Text }))),
      jobId: Type.Optional(Id),
    }),
  },
  { title: "Error" },
);
