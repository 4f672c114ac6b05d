import { MAX_TARGETS, readEvents, type TargetKind, type TargetView } from "../domain/people/notice.ts";
import { AppError } from "../kernel/errors.ts";
import { createNoMailError, deliver, type DeliveryDeps } from "../notices/deliver.ts";
import type { Address } from "../notices/payload.ts";
import { sendDueNotices } from "../notices/send-due.ts";
import { openAddress, parseAccessToken, parseTargetUrl, sealAddress } from "../notices/target-address.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as storage from "../storage/people/notices.ts";
import * as users from "../storage/people/users.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

export interface TargetOrder {
  kind: TargetKind;
  url: string;
  /** The access token of ntfy, if it needs one. */
  token?: string | null | undefined;
  events: readonly string[];
}

const KEY_BYTES = 32;

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

/** The notification targets of a user. */
export const listTargets = async (
  { db }: Pick<World, "db">,
  { owner: { id } }: LogCaller,
): Promise<{ targets: TargetView[] }> => ({ targets: (await db.read(() => storage.listTargets(id))).map(toView) });

/** Adds a target. The signing key of a webhook is only returned here; the others have none. */
export const addTarget = async (
  {
    db,
    clock,
    random,
    vault,
    sendMail,
    limits,
  }: Pick<World, "db" | "clock" | "random" | "vault" | "sendMail" | "limits">,
  { owner: { id: userId } }: LogCaller,
  { kind, url, token, events: wanted }: TargetOrder,
): Promise<TargetView & { key: string | null }> => {
  limits.count("notice", userId);
  const events = readEvents(wanted);
  if (kind === "mail" && sendMail === null) throw createNoMailError();
  const { email } = await db.read(() => users.get(userId));
  const target = parseTargetUrl(kind, url, email);
  const key = kind === "webhook" ? `whsec_${Buffer.from(random(KEY_BYTES)).toString("base64url")}` : null;
  const address: Address = { url: target.toString(), secret: key ?? parseAccessToken(token) };
  const host = target.host || target.pathname.slice(target.pathname.lastIndexOf("@") + 1);
  const sealed = sealAddress(vault, { userId, kind, host }, address);
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

/** Replaces the events of a target. */
export const changeTarget = (
  { db }: Pick<World, "db">,
  { owner: { id: userId } }: LogCaller,
  id: number,
  wanted: readonly string[],
): Promise<TargetView> =>
  db.write(function* () {
    yield* getTarget(userId, id);
    yield* storage.setEvents(id, readEvents(wanted));
    return yield* getView(userId, id);
  });

const noTarget = (): AppError => new AppError("not_found", "There is no such target.");

function* getTarget(userId: number, id: number): Unit<storage.Target> {
  const target = yield* storage.findTarget(userId, id);
  if (!target) throw noTarget();
  return target;
}

function* getView(userId: number, id: number): Unit<TargetView> {
  return toView((yield* storage.listTargets(userId)).find((one) => one.id === id)!);
}

export const removeTarget = async (
  { db }: Pick<World, "db">,
  { owner: { id: userId } }: LogCaller,
  id: number,
): Promise<void> => {
  if (!(await db.write(() => storage.removeTarget(userId, id)))) throw noTarget();
};

/** Sends a test message immediately, so that the user sees whether it arrives. */
export const testTarget = async (
  deps: Pick<World, "db" | "clock" | "vault" | "limits"> & DeliveryDeps,
  { owner: { id: userId } }: LogCaller,
  id: number,
): Promise<TargetView> => {
  const { db, clock, vault, limits } = deps;
  limits.count("notice", userId);
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
    return yield* getView(userId, id);
  });
};

/** Sends queued notifications if no server does. What fails is left for a server. */
export const tellNow = async (world: World, stopping: AbortSignal): Promise<void> => {
  await sendDueNotices(world, stopping).catch((error: unknown) =>
    world.log.error("notices.delivery_failed", { error }),
  );
};
