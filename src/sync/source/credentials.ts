import { version } from "../../../package.json";
import { AppError } from "../../domain/errors.ts";
import {
  isRefusal,
  SyncError,
  type CredentialField,
  type Credentials,
  type Provider,
  type ProviderDeps,
} from "../../domain/provider.ts";
import type { Service } from "../../domain/source.ts";
import { credentialsChanged, pause } from "../../schedule/moves.ts";
import * as stored from "../../storage/service-credentials.ts";
import * as syncCursors from "../../storage/sync-cursors.ts";
import type { World } from "../../world.ts";
import { spoolDirOf } from "./spool.ts";

type ProviderWorld = Pick<
  World,
  "config" | "clock" | "random" | "ticks" | "sleep" | "turn" | "after" | "lastAsked" | "log"
>;

type Deps = Pick<World, "db" | "vault" | "providers" | "deadline"> & ProviderWorld;

/** A service as its user sees it; secrets are never given back. */
export interface ServiceView {
  source: Service;
  label: string;
  fields: Pick<CredentialField, "name" | "label" | "secret" | "required">[];
  configured: boolean;
  state: stored.CredentialState;
  reason: string | null;
  checkedAt: number | null;
  callsign: string | null;
}

/** What a provider needs of the world. */
export const providerDeps = (
  { config, clock, random, ticks, sleep, turn, after, lastAsked, log }: ProviderWorld,
  source: Service,
): ProviderDeps => ({
  baseUrl: config[`${source}Url`],
  spoolDir: spoolDirOf(config.dataDir),
  version,
  lastAsked,
  pace: config.pace,
  clock,
  random,
  ticks,
  sleep,
  turn,
  after,
  log: (event, fields) => log.debug(event, fields),
});

const TEST_PATIENCE_MS = 60_000;

export const serviceView = (
  { source, label, fields }: Provider,
  known: stored.StoredCredentials | null,
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
  state: known?.state ?? "unknown",
  reason: known?.stateReason ?? null,
  checkedAt: known?.checkedAt ?? null,
  callsign: known?.callsign ?? null,
});

/** Replaces what is stored, sealed for this user and service alone. Another account is downloaded from its beginning. */
export const setCredentials = async (
  { db, clock, vault, providers }: Pick<Deps, "db" | "clock" | "vault" | "providers">,
  userId: number,
  source: Service,
  given: Record<string, unknown>,
): Promise<ServiceView> => {
  const provider = providers[source];
  const credentials = provider.normaliseCredentials(given);
  const sealed = vault.seal(JSON.stringify(credentials), { userId, source, account: stored.ACCOUNT });
  const loginHash = vault.fingerprint("account", `${source} ${provider.login(credentials)}`);
  const callsign = credentials.callsign ?? null;
  const now = clock();
  const known = await db.write(function* () {
    const former = yield* stored.find(userId, source);
    if (former?.loginHash !== loginHash) yield* syncCursors.set(userId, source, null, now);
    yield* stored.put({ userId, source, sealed, callsign, loginHash }, now);
    yield* credentialsChanged(userId, source, now);
    return yield* stored.find(userId, source);
  });
  return serviceView(provider, known);
};

export const clearCredentials = async ({ db }: Pick<Deps, "db">, userId: number, source: Service): Promise<void> => {
  const removed = await db.write(function* () {
    yield* pause(userId, source);
    return yield* stored.remove(userId, source);
  });
  if (!removed) throw new AppError("not_found", "There are no credentials for this service.");
};

export interface OpenedCredentials {
  credentials: Credentials;
  /** As they are stored: what is found out of them is said of these alone. */
  stored: stored.StoredCredentials;
}

/** The credentials in clear, for the moment of a request. */
export const openCredentials = async (
  { db, clock, vault }: Pick<Deps, "db" | "clock" | "vault">,
  userId: number,
  source: Service,
): Promise<OpenedCredentials> => {
  const known = await db.read(() => stored.find(userId, source));
  if (!known) throw new SyncError("not_configured", "There are no credentials for this service.");
  try {
    const text = vault.open(known.sealed, { userId, source, account: known.account });
    return { credentials: JSON.parse(text) as Credentials, stored: known };
  } catch (error) {
    const { message } = error as Error;
    const now = clock();
    await db.write(() => stored.setState(known, "unknown", message, now));
    throw new SyncError("auth_failed", message);
  }
};

/** Asks the service whether it takes the stored credentials, and remembers the answer. */
export const testCredentials = async (
  deps: Deps,
  userId: number,
  source: Service,
  signal?: AbortSignal,
): Promise<ServiceView> => {
  const { db, clock, providers } = deps;
  const provider = providers[source];
  const patience = deps.deadline(TEST_PATIENCE_MS);
  const opened = await openedForTest(deps, userId, source);
  try {
    await provider.test(
      providerDeps(deps, source),
      opened.credentials,
      signal ? AbortSignal.any([signal, patience]) : patience,
    );
    const now = clock();
    await db.write(function* () {
      yield* stored.setState(opened.stored, "ok", null, now);
      yield* credentialsChanged(userId, source, now);
    });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { code, message } = error;
    const now = clock();
    if (isRefusal(code)) await db.write(() => stored.setState(opened.stored, "rejected", message, now));
    throw refusalOf(error, provider.label);
  }
  const known = await db.read(() => stored.find(userId, source));
  return serviceView(provider, known);
};

const openedForTest = async (deps: Deps, userId: number, source: Service): Promise<OpenedCredentials> => {
  try {
    return await openCredentials(deps, userId, source);
  } catch (error) {
    throw error instanceof SyncError ? refusalOf(error, deps.providers[source].label) : error;
  }
};

const refusalOf = ({ code, message, retryAfterSeconds }: SyncError, label: string): AppError => {
  if (code === "not_configured") return new AppError("conflict", message, { rule: "not_configured" });
  return new AppError("upstream", message.includes(label) ? message : `${label}: ${message}`, {
    rule: code,
    retryAfterSeconds,
  });
};
