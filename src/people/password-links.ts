import { hashOfToken } from "../auth/api-tokens.ts";
import { getLane, type Auth, type Client, type Entry } from "../auth/auth.ts";
import { hashPassword } from "../auth/passwords.ts";
import { HOUR } from "../kernel/clock.ts";
import type { Actor } from "../domain/people/actor.ts";
import { AppError } from "../kernel/errors.ts";
import { assertUser, normaliseUsername, type NewUser, type User } from "../domain/people/user.ts";
import * as accountEvents from "../storage/people/account-events.ts";
import * as identities from "../storage/people/identities.ts";
import * as oneTimeCodes from "../storage/people/one-time-codes.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import { audited, type Deps } from "./audited.ts";
import { assertUncommon } from "./common-passwords.ts";
import { findUser, type UserKey } from "./roles.ts";
import { addUser, assertNotOwn, endSignIns } from "./users.ts";

const LIFETIME = 1 * HOUR;
const TOKEN_BYTES = 24;

/** A link to set a password, so that nobody else knows the password. It works once and expires after an hour. */
export interface PasswordLink {
  user: User;
  token: string;
  expiresAt: number;
  /** Where the link was mailed to, if there is a mail server and the user has an address. */
  mailedTo?: string;
}

type Making = Deps & Pick<World, "random" | "config" | "sendMail" | "log" | "limits">;

/** The path of a link. */
export const linkPath = ({ token }: Pick<PasswordLink, "token">): string => `/password?token=${token}`;

/** Creates a user without a password, and the link that sets it. */
export const inviteUser = async (
  deps: Making,
  actor: Actor,
  invited: Omit<NewUser, "password">,
): Promise<PasswordLink> => {
  assertUser(invited);
  const { role = "user" } = invited;
  const username = normaliseUsername(invited.username);
  const link = createCountedLink(deps, actor);
  const user = await audited(deps, actor, {
    action: "invite_user",
    *target() {
      return { id: null, username };
    },
    *perform() {
      const added = yield* addUser(deps, { ...invited, username, role, passwordHash: "" }, { by: actor.name });
      yield* link.keep(added.id);
      return added;
    },
    details: () => ({ role }),
  });
  return mailLink(deps, { user, token: link.token, expiresAt: link.expiresAt });
};

/** Creates a link to set a new password. The old one stays valid until then. */
export const makePasswordLink = async (deps: Making, actor: Actor, key: UserKey): Promise<PasswordLink> => {
  const link = createCountedLink(deps, actor);
  const user = await audited(deps, actor, {
    action: "password_link",
    target: () => findUser(key),
    *perform(found) {
      assertNotOwn(actor, found);
      yield* link.keep(found.id);
      yield* accountEvents.record(found.id, link.madeAt, "password_link", { by: actor.name });
      return found;
    },
  });
  return mailLink(deps, { user, token: link.token, expiresAt: link.expiresAt });
};

/**
 * Mails a link to a user who forgot the password. Whoever asks gets the same answer in the same time for every name,
 * because the user is looked up and the mail sent after it. Users without a password sign in elsewhere and get none.
 */
export const mailForgottenLink = async (
  deps: Making & { auth: Auth },
  username: string,
  client: Client,
): Promise<void> => {
  assertSendsMail(deps);
  const name = normaliseUsername(username);
  await deps.auth.throttle.countReset({ username: name, address: client.address });
  void findAndMail(deps, name, client).catch((error: unknown) =>
    deps.log.warn("mail.failed", { reason: (error as Error).message }),
  );
};

export const assertSendsMail = ({ sendMail }: Pick<World, "sendMail">): void => {
  if (sendMail === null) throw new AppError("not_found", "This server sends no mail. Ask an administrator for a link.");
};

const findAndMail = async (deps: Making, name: string, client: Client): Promise<void> => {
  const link = createLink(deps);
  const user = await deps.db.write(function* () {
    const found = yield* users.findByName(name);
    if (found === null || found.email === null || !(yield* users.hasPassword(found.id))) return null;
    yield* link.keep(found.id);
    yield* accountEvents.record(found.id, link.madeAt, "password_link", client);
    return found;
  });
  if (user !== null) await mailLink(deps, { user, token: link.token, expiresAt: link.expiresAt });
};

/** If the mail server fails, the administrator passes the link on, as without one. */
const mailLink = async ({ config, sendMail, log }: Making, link: PasswordLink): Promise<PasswordLink> => {
  const { username, email } = link.user;
  if (sendMail === null || email === null) return link;
  const text = [
    `Hello ${username},`,
    "",
    `set your password for qsolog at ${config.baseUrl} with this link:`,
    "",
    config.baseUrl! + linkPath(link),
    "",
    "It works once and expires in an hour. If you did not expect this message, ignore it: nothing changes.",
  ];
  try {
    await sendMail({ to: email, subject: "Set your qsolog password", text: text.join("\n") });
    return { ...link, mailedTo: email };
  } catch (error) {
    log.warn("mail.failed", { reason: (error as Error).message });
    return link;
  }
};

const createCountedLink = (deps: Making, { id }: Actor) => {
  deps.limits.count("invitation", id);
  return createLink(deps);
};

const createLink = ({ random, clock }: Pick<Making, "random" | "clock">) => {
  const madeAt = clock();
  const token = Buffer.from(random(TOKEN_BYTES)).toString("base64url");
  const expiresAt = madeAt + LIFETIME;
  /** A new link replaces an older one. */
  function* keep(userId: number): Unit<void> {
    yield* oneTimeCodes.removeOf(userId, ["password_link"]);
    const hash = hashOfToken(token);
    yield* oneTimeCodes.add({ hash, userId, purpose: "password_link", data: null, expiresAt }, madeAt);
  }
  return { token, madeAt, expiresAt, keep };
};

/** The user of a link. Throws if it was used or has expired. */
export const getOwnerOfLink = ({ db, clock }: Pick<World, "db" | "clock">, token: string): Promise<User> =>
  db.read(() => findOwner(token, clock()));

function* findOwner(token: string, now: number): Unit<User> {
  const link = yield* oneTimeCodes.find(hashOfToken(token), "password_link", now);
  if (link !== null) return yield* users.get(link.userId);
  throw new AppError("forbidden", "This link has expired or was already used. Ask for a new one.", {
    rule: "link_ended",
  });
}

/**
 * Sets the password with a link, ends all other sign-ins, and signs in. A second factor is still required, because the
 * link only replaces the password.
 */
export const setPasswordByLink = async (
  deps: Deps & Pick<World, "hashing" | "passwordCost"> & { auth: Auth },
  { token, password }: { token: string; password: string },
  client: Client,
): Promise<Entry> => {
  const owner = await getOwnerOfLink(deps, token);
  assertUser({ password });
  await assertUncommon(deps, password, owner);
  const hash = await hashPassword(deps, password, getLane(client));
  const now = deps.clock();
  const user = await deps.db.write(function* () {
    const still = yield* findOwner(token, now);
    yield* users.setPasswordHash(still.id, hash);
    yield* endSignIns(still.id, now, client);
    yield* identities.removeAllOf(still.id);
    yield* accountEvents.record(still.id, now, "password_changed", client);
    return still;
  });
  return deps.auth.enter({ user, passwordHash: hash }, client);
};
