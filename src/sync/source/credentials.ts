import { version } from "../../../package.json";
import { splitCall } from "../../callsign/parts.ts";
import type { RequestOrigin } from "../../domain/people/account-event.ts";
import { AppError } from "../../kernel/errors.ts";
import {
  isRefusal,
  SyncError,
  type CredentialField,
  type Credentials,
  type Provider,
  type ProviderDeps,
} from "../../domain/jobs/provider.ts";
import type { Service } from "../../domain/jobs/source.ts";
import { scheduleAfterCredentials, pauseSchedule } from "../schedule.ts";
import { canOpen } from "../../storage/engine/secret-fingerprint.ts";
import * as accountEvents from "../../storage/people/account-events.ts";
import * as stored from "../../storage/jobs/service-credentials.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import { lockUser } from "../../storage/engine/unit.ts";
import * as users from "../../storage/people/users.ts";
import { SEALED_ELSEWHERE, type Vault } from "../../kernel/vault.ts";
import type { World } from "../../world.ts";
import { getSpoolDir } from "./spool.ts";

type ProviderWorld = Pick<
  World,
  "config" | "clock" | "random" | "ticks" | "sleep" | "turn" | "after" | "lastAsked" | "log"
>;

type Deps = Pick<World, "db" | "vault" | "providers" | "deadline"> & ProviderWorld;

/** A service as its user sees it. Secrets are never returned. */
export interface ServiceView {
  source: Service;
  label: string;
  fields: Pick<CredentialField, "name" | "label" | "secret" | "required">[];
  configured: boolean;
  state: stored.CredentialState | "sealed_elsewhere";
  reason: string | null;
  checkedAt: number | null;
  callsign: string | null;
  /** The callsign of the logbook that the credentials open, if the service says so. */
  book: string | null;
  warning: string | null;
}

/** The dependencies of a provider. */
export const buildProviderDeps = (
  { config, clock, random, ticks, sleep, turn, after, lastAsked, log }: ProviderWorld,
  source: Service,
): ProviderDeps => ({
  baseUrl: config[`${source}Url`],
  spoolDir: getSpoolDir(config.dataDir),
  version,
  lastAsked,
  pace: config.pace,
  clock,
  random,
  ticks,
  sleep,
  turn,
  after,
  log: log.debug,
});

const TEST_PATIENCE_MS = 60_000;

export const toServiceView = (
  { source, label, fields }: Provider,
  vault: Vault,
  known: stored.StoredCredentials | null,
  ownCallsign: string | null,
): ServiceView => ({
  source,
  label,
  fields: fields.map(({ name, label: fieldLabel, secret, required }) => ({
    name,
    label: fieldLabel,
    secret,
    required,
  })),
  configured: known !== null,
  checkedAt: known?.checkedAt ?? null,
  callsign: known?.callsign ?? null,
  book: known?.book ?? null,
  warning: known && describeStrangeBook(known, ownCallsign),
  ...checkState(vault, known),
});

/**
 * Explains why the user should check whose logbook the credentials open. Returns null if nothing is unusual, or if the
 * user entered that callsign with the credentials or agreed to it.
 */
export const describeStrangeBook = (
  { book, callsign, agreedBook }: Pick<stored.StoredCredentials, "book" | "callsign" | "agreedBook">,
  own: string | null,
): string | null => {
  if (book === null || own === null || callsign !== null || agreedBook === book) return null;
  if (splitCall(book).base === splitCall(own.toUpperCase()).base) return null;
  return `This account opens the logbook of ${book}, but your callsign is ${own}.`;
};

/** Credentials that cannot be decrypted are reported without asking the service. */
const checkState = (vault: Vault, known: stored.StoredCredentials | null): Pick<ServiceView, "state" | "reason"> => {
  if (known === null) return { state: "unknown", reason: null };
  if (!canOpen(vault, known)) return { state: "sealed_elsewhere", reason: SEALED_ELSEWHERE };
  return { state: known.state, reason: known.stateReason };
};

const loadView = async (
  { db, vault, providers }: Pick<Deps, "db" | "vault" | "providers">,
  userId: number,
  source: Service,
): Promise<ServiceView> => {
  const { known, user } = await db.read(function* () {
    return { known: yield* stored.find(userId, source), user: yield* users.get(userId) };
  });
  return toServiceView(providers[source], vault, known, user.callsign);
};

/**
 * Stores new credentials, encrypted for this user and service only. Another account is downloaded from the beginning.
 */
export const setCredentials = async (
  deps: Pick<Deps, "db" | "clock" | "vault" | "providers">,
  userId: number,
  source: Service,
  given: Record<string, unknown>,
  whence: RequestOrigin = {},
): Promise<ServiceView> => {
  const { db, clock, vault, providers } = deps;
  const provider = providers[source];
  const credentials = provider.normaliseCredentials(given);
  const sealed = vault.seal(JSON.stringify(credentials), { userId, source, account: stored.ACCOUNT });
  const loginHash = vault.fingerprint("account", `${source} ${provider.login(credentials)}`);
  const callsign = credentials.callsign ?? null;
  const now = clock();
  await db.write(function* () {
    yield* lockUser(userId);
    const former = yield* stored.find(userId, source);
    if (former?.loginHash !== loginHash) yield* syncCursors.set(userId, source, null, now);
    yield* stored.put({ userId, source, sealed, callsign, loginHash }, now);
    yield* scheduleAfterCredentials(userId, source, now);
    const event = former ? "credentials_changed" : "credentials_set";
    yield* accountEvents.record(userId, now, event, { ...whence, details: { source } });
  });
  return loadView(deps, userId, source);
};

export const clearCredentials = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  userId: number,
  source: Service,
  whence: RequestOrigin = {},
): Promise<void> => {
  const now = clock();
  await db.write(function* () {
    yield* lockUser(userId);
    yield* pauseSchedule(userId, source);
    if (!(yield* stored.remove(userId, source))) {
      throw new AppError("not_found", "This service is not set up.");
    }
    yield* accountEvents.record(userId, now, "credentials_removed", { ...whence, details: { source } });
  });
};

export interface OpenedCredentials {
  credentials: Credentials;
  /** The row as it was read: test results are written only if it has not changed. */
  stored: stored.StoredCredentials;
}

/** Decrypts the credentials for one request. */
export const openCredentials = async (
  { db, vault }: Pick<Deps, "vault"> & { db: Pick<World["db"], "read"> },
  userId: number,
  source: Service,
): Promise<OpenedCredentials> => {
  const known = await db.read(() => stored.find(userId, source));
  if (!known) throw new SyncError("not_configured", "This service is not set up.");
  try {
    const text = vault.open(known.sealed, { userId, source, account: known.account });
    return { credentials: JSON.parse(text) as Credentials, stored: known };
  } catch (error) {
    throw new SyncError("sealed_elsewhere", (error as Error).message);
  }
};

/** Asks the service whether it accepts the stored credentials, and stores the answer. */
export const testCredentials = async (
  deps: Deps,
  userId: number,
  source: Service,
  signal?: AbortSignal,
): Promise<ServiceView> => {
  const { db, clock, providers } = deps;
  const provider = providers[source];
  const patience = deps.deadline(TEST_PATIENCE_MS);
  const opened = await openForTest(deps, userId, source);
  try {
    const { callsign } = await provider.test(
      buildProviderDeps(deps, source),
      opened.credentials,
      signal ? AbortSignal.any([signal, patience]) : patience,
    );
    const now = clock();
    await db.write(function* () {
      yield* lockUser(userId);
      yield* stored.setState(opened.stored, "ok", null, now);
      if (callsign !== null) yield* stored.setBook(opened.stored, callsign);
      yield* scheduleAfterCredentials(userId, source, now);
    });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { code, message } = error;
    const now = clock();
    if (isRefusal(code)) await db.write(() => stored.setState(opened.stored, "rejected", message, now));
    throw toAppError(error, provider.label);
  }
  return loadView(deps, userId, source);
};

const openForTest = async (deps: Deps, userId: number, source: Service): Promise<OpenedCredentials> => {
  try {
    return await openCredentials(deps, userId, source);
  } catch (error) {
    throw error instanceof SyncError ? toAppError(error, deps.providers[source].label) : error;
  }
};

const toAppError = ({ code, message, retryAfterSeconds }: SyncError, label: string): AppError => {
  if (code === "not_configured" || code === "sealed_elsewhere")
    return new AppError("conflict", message, { rule: code });
  return new AppError("upstream", message.includes(label) ? message : `${label}: ${message}`, {
    rule: code,
    retryAfterSeconds,
  });
};
