import type { Auth, Client, SignIn } from "../auth/auth.ts";
import { assertStillIn, type Caller } from "../auth/caller.ts";
import type { Proved, Provider } from "../auth/oidc/provider.ts";
import type { Actor } from "../domain/people/actor.ts";
import { AppError } from "../kernel/errors.ts";
import { assertUser, normaliseUsername, type NewUser, type User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as identities from "../storage/people/identities.ts";
import * as sessions from "../storage/people/sessions.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { needsSetUp } from "./account.ts";
import { demote, promote } from "./roles.ts";
import { addUser } from "./users.ts";

type Deps = Pick<World, "db" | "clock" | "config" | "log"> & { auth: Auth; provider: Provider | null };

/** The provider accounts that a user signs in with, and whether the user also has a password. */
export const listIdentities = ({ db, provider }: Deps, userId: number) =>
  db.read(function* () {
    const found = yield* identities.listOf(userId);
    return {
      provider: provider?.name ?? null,
      hasPassword: yield* users.hasPassword(userId),
      identities: found.map(({ id, issuer, label, createdAt, lastUsedAt }) => ({
        id,
        issuer,
        label,
        createdAt,
        lastUsedAt,
      })),
    };
  });

/** Links a provider account to the signed-in user. */
export const linkIdentity = async (
  { db, clock }: Deps,
  caller: Caller,
  proved: Proved,
  name: string,
  client: Client,
): Promise<void> => {
  const { user } = caller;
  const now = clock();
  await db.write(function* () {
    yield* assertStillIn(caller);
    const owner = yield* identities.find(proved);
    if (owner?.user.id === user.id) return;
    if (owner) throw taken(name);
    yield* link(user.id, proved, name, now, client);
  });
};

function* link(userId: number, proved: Proved, name: string, now: number, client: Client): Unit<void> {
  if (!(yield* identities.add(userId, proved, proved.label, now))) throw taken(name);
  const details = { name, account: proved.label };
  yield* accountEvents.record(userId, now, "identity_linked", { ...client, details });
}

const taken = (name: string) =>
  new AppError("conflict", `This ${name} account is already linked to another user.`, { rule: "identity_taken" });

/** Unlinks a provider account and ends the sessions it started. Another way to sign in must remain. */
export const unlinkIdentity = async (
  { db, clock, provider }: Deps,
  { user, sessionId }: Caller,
  id: number,
  client: Client,
): Promise<void> => {
  const now = clock();
  await db.write(function* () {
    const found = yield* identities.listOf(user.id);
    const one = found.find((other) => other.id === id);
    if (!one) throw new AppError("not_found", "There is no such linked account.");
    if (found.length === 1 && !(yield* users.hasPassword(user.id))) {
      throw new AppError("conflict", "This is your only way to sign in. Set a password first.", {
        rule: "last_sign_in",
      });
    }
    yield* identities.remove(user.id, id);
    yield* sessions.endBegunBy(user.id, "provider", sessionId);
    const details = { name: provider?.name ?? one.issuer, account: one.label };
    yield* accountEvents.record(user.id, now, "identity_removed", { ...client, details });
  });
};

/** Signs in the user that the provider identified. Returns null if there is none and an account may be created. */
export const signInByIdentity = async (
  deps: Deps & { provider: Provider },
  proved: Proved,
  client: Client,
): Promise<SignIn | null> => {
  const { db, clock, config, provider } = deps;
  if (await needsSetUp(deps)) throw nobody(provider.name);
  const now = clock();
  const known = await db.write(function* () {
    const linked = yield* identities.find(proved);
    if (linked) yield* identities.setUsed(linked.id, proved.label, now);
    const user = linked?.user ?? (yield* findByClaim(proved, provider.name, now, client));
    return user && (yield* users.getKnown(user.id));
  });
  if (known) return begin(deps, known, proved, client);
  if (config.oidcRegistration === "closed") throw nobody(provider.name);
  return null;
};

/**
 * The user whose name is in the claim that the operator trusts; links the account to that user. Another account that
 * had the name before is not the same user. Nobody becomes an administrator by a name.
 */
function* findByClaim(proved: Proved, name: string, now: number, client: Client): Unit<User | null> {
  const user = proved.signsInAs === null ? null : yield* users.findByName(proved.signsInAs);
  if (!user) return null;
  const others = (yield* identities.listOf(user.id)).filter(({ issuer }) => issuer === proved.issuer);
  if (others.length > 0 || (user.isAdmin && !proved.isInAdminGroup)) throw nobody(name);
  yield* link(user.id, proved, name, now, client);
  return user;
}

/** Creates an account for the user that the provider identified, and signs in. */
export const registerByIdentity = async (
  deps: Deps & { provider: Provider },
  proved: Proved,
  wanted: Pick<NewUser, "username" | "callsign" | "email">,
  client: Client,
): Promise<SignIn> => {
  const { db, clock, config, auth, provider } = deps;
  if (config.oidcRegistration === "closed" || (await needsSetUp(deps))) throw nobody(provider.name);
  assertUser(wanted);
  await auth.throttle.countRegistration(client.address);
  const now = clock();
  const known = await db.write(function* () {
    const username = normaliseUsername(wanted.username);
    const made = yield* addUser(deps, { ...wanted, username, role: "user", passwordHash: "" }, client);
    yield* link(made.id, proved, provider.name, now, client);
    return { user: made, passwordHash: "" };
  });
  return begin(deps, known, proved, client);
};

const begin = async (
  deps: Deps & { provider: Provider },
  known: users.Known,
  proved: Proved,
  client: Client,
): Promise<SignIn> => {
  const { name } = deps.provider;
  const user = await updateRoleByGroup(deps, known.user, proved, name);
  return deps.auth.startVouched({ ...known, user }, client, { voucher: "provider", name, provedAt: proved.provedAt });
};

/**
 * Removes the administrator role if a group at the provider gave it and no longer does. A role given by people stays.
 */
const updateRoleByGroup = async (deps: Deps, user: User, proved: Proved, name: string): Promise<User> => {
  const { db, config, log } = deps;
  if (config.oidcAdminGroup === null) return user;
  const known = await db.read(() => identities.find(proved));
  if (!known || proved.isInAdminGroup === user.isAdmin) return user;
  if (!proved.isInAdminGroup && !known.gaveRole) return user;
  const actor: Actor = { id: null, name: `${name}: ${config.oidcAdminGroup}`, via: "web" };
  try {
    const changed = await (proved.isInAdminGroup ? promote : demote)(deps, actor, user.id);
    await db.write(() => identities.setGaveRole(known.id, proved.isInAdminGroup));
    return changed;
  } catch (error) {
    // The last administrator stays one. The refusal is in the action log.
    if (!(error instanceof AppError) || error.code !== "conflict") throw error;
    log.warn("oidc.role_kept", { username: user.username, reason: error.rule });
    return user;
  }
};

const nobody = (name: string) =>
  new AppError(
    "forbidden",
    `Your ${name} account is not linked to a user here. Sign in with your password and link it in Settings, or ask an administrator.`,
    { rule: "identity_unknown" },
  );

/** Signs in the user that a trusted proxy names in a header. The operator has configured that header. */
export const signInByProxy = async (deps: Omit<Deps, "provider">, name: string, client: Client): Promise<SignIn> => {
  const { db, config, auth } = deps;
  const username = normaliseUsername(name);
  const user = (await db.read(() => users.findByName(username))) ?? (await newcomerOf(deps, username, client));
  if (!user) {
    throw new AppError(
      "forbidden",
      "The proxy signed you in with a username that does not exist here. Ask an administrator.",
      {
        rule: "identity_unknown",
      },
    );
  }
  return auth.startVouched(await db.read(() => users.getKnown(user.id)), client, {
    voucher: "proxy",
    name: `the proxy (${config.proxyUserHeader})`,
    provedAt: 0,
  });
};

const newcomerOf = async (deps: Omit<Deps, "provider">, username: string, client: Client): Promise<User | null> => {
  if (deps.config.proxyRegistration === "closed" || (await needsSetUp(deps))) return null;
  assertUser({ username });
  await deps.auth.throttle.countRegistration(client.address);
  return deps.db.write(() => addUser(deps, { username, role: "user", passwordHash: "" }, client));
};
