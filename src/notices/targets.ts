import { AppError, invalidField } from "../kernel/errors.ts";
import {
  MAX_ADDRESS_LENGTH,
  MAX_TARGETS,
  readEvents,
  type TargetKind,
  type TargetView,
} from "../domain/people/notice.ts";
import * as storage from "../storage/people/notices.ts";
import * as users from "../storage/people/users.ts";
import type { Vault } from "../kernel/vault.ts";
import type { World } from "../world.ts";
import { createNoMailError, deliver, type DeliveryDeps } from "./deliver.ts";
import type { Address } from "./payload.ts";

export interface TargetOrder {
  kind: TargetKind;
  url: string;
  /** The access token of ntfy, if it needs one. */
  token?: string | null | undefined;
  events: readonly string[];
}

const KEY_BYTES = 32;
const MAX_TOKEN_LENGTH = 200;

const toView = ({
  id,
  kind,
  host,
  events,
  createdAt,
  lastSentAt,
  problem,
  waiting,
}: storage.Target & { waiting: number }): TargetView => ({
  id,
  kind,
  host,
  events,
  createdAt,
  lastSentAt,
  problem,
  waiting,
});

export const listTargets = async ({ db }: Pick<World, "db">, userId: number): Promise<{ targets: TargetView[] }> => {
  const targets = await db.read(() => storage.listTargets(userId));
  return { targets: targets.map(toView) };
};

/** Adds a target. The signing key of a webhook is only returned here. */
export const addTarget = async (
  { db, clock, random, vault, sendMail }: Pick<World, "db" | "clock" | "random" | "vault" | "sendMail">,
  userId: number,
  { kind, url, token, events: wanted }: TargetOrder,
): Promise<TargetView & { key: string | null }> => {
  const events = readEvents(wanted);
  if (kind === "mail" && sendMail === null) throw createNoMailError();
  const target = kind === "mail" ? await readOwnMail(db, userId, url) : readAddress(kind, url);
  const key = kind === "webhook" ? `whsec_${Buffer.from(random(KEY_BYTES)).toString("base64url")}` : null;
  const address: Address = { url: target.toString(), secret: key ?? readToken(token) };
  const host = target.host || target.pathname.slice(target.pathname.lastIndexOf("@") + 1);
  const sealed = vault.seal(JSON.stringify(address), { userId, ...getBinding({ kind, host }) });
  const now = clock();
  const added = await db.write(function* () {
    if ((yield* storage.listTargets(userId)).length >= MAX_TARGETS) {
      throw new AppError("conflict", `You already have ${MAX_TARGETS} targets. Remove one first.`, {
        rule: "too_many_targets",
      });
    }
    return yield* storage.addTarget({ userId, kind, host, sealed, events }, now);
  });
  return { ...toView({ ...added, waiting: 0 }), key };
};

/** The URL can be passed on, so it must not contain a username or password. */
const readAddress = (kind: TargetKind, text: string): URL => {
  const given = text.trim();
  const url = given.length <= MAX_ADDRESS_LENGTH && URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField("url", "Enter an https address.");
  if (url.username || url.password || url.hash) {
    throw invalidField("url", "Enter an address without a username, password or fragment (#).");
  }
  if (kind === "ntfy" && (url.search || !/^(\/[\w-]+)+\/?$/.test(url.pathname))) {
    throw invalidField("url", "Enter the address of an ntfy topic, such as https://ntfy.sh/my-log.");
  }
  return url;
};

/** Only to the user's own address, so that nobody sends mail to strangers. */
const readOwnMail = async (db: World["db"], userId: number, text: string): Promise<URL> => {
  const { email } = await db.read(() => users.get(userId));
  const given = text.trim();
  if (email === null || given.toLowerCase() !== email.toLowerCase())
    throw invalidField("url", "Enter the e-mail address of your profile.");
  return new URL(`mailto:${encodeURIComponent(email).replace("%40", "@")}`);
};

const readToken = (token: string | null | undefined): string | null => {
  const given = token?.trim() ?? "";
  if (given === "") return null;
  if (given.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(given)) return given;
  throw invalidField("token", "This is not a valid access token.");
};

const getBinding = ({ kind, host }: Pick<storage.Target, "kind" | "host">) => ({ source: kind, account: host });

export const changeEvents = async (
  { db }: Pick<World, "db">,
  userId: number,
  id: number,
  wanted: readonly string[],
): Promise<TargetView> => {
  return db.write(function* () {
    yield* getTarget(userId, id);
    yield* storage.setEvents(id, readEvents(wanted));
    return toView((yield* storage.listTargets(userId)).find((one) => one.id === id)!);
  });
};

function* getTarget(userId: number, id: number) {
  const target = yield* storage.findTarget(userId, id);
  if (!target) throw new AppError("not_found", "There is no such target.");
  return target;
}

export const removeTarget = async ({ db }: Pick<World, "db">, userId: number, id: number): Promise<void> => {
  const removed = await db.write(() => storage.removeTarget(userId, id));
  if (!removed) throw new AppError("not_found", "There is no such target.");
};

/** Decrypts the URL for one request. */
export const openAddress = (vault: Vault, target: storage.Target): Address => {
  try {
    return JSON.parse(vault.open(target.sealed, { userId: target.userId, ...getBinding(target) })) as Address;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    throw new AppError(
      "unavailable",
      "The stored address cannot be decrypted, because the server's secret has changed. Add it again.",
      {
        rule: "sealed_elsewhere",
        cause,
      },
    );
  }
};

/** Sends a test message immediately, so that the user sees whether it arrives. */
export const testTarget = async (
  deps: Pick<World, "db" | "clock" | "vault"> & DeliveryDeps,
  userId: number,
  id: number,
): Promise<TargetView> => {
  const { db, clock, vault } = deps;
  const { target, user } = await db.read(function* () {
    return { target: yield* getTarget(userId, id), user: yield* users.get(userId) };
  });
  const notice = {
    event: "test" as const,
    title: "qsolog: test",
    text: `This target now receives notifications about the log of ${user.username}.`,
    user: user.username,
    callsign: user.callsign,
    job: null,
  };
  const sending = { id: null, at: clock(), notice, link: null };
  await deliver(deps, target.kind, openAddress(vault, target), sending);
  const now = clock();
  return db.write(function* () {
    yield* storage.makeDue(id, now);
    return toView((yield* storage.listTargets(userId)).find((one) => one.id === id)!);
  });
};
