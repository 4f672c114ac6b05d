import { DAY, HOUR, MINUTE, SECOND } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Notice } from "../domain/people/notice.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import * as storage from "../storage/people/notices.ts";
import type { World } from "../world.ts";
import { deliver, type DeliveryDeps } from "./deliver.ts";
import { openAddress } from "./target-address.ts";

type Deps = Pick<World, "db" | "clock" | "vault" | "log"> & DeliveryDeps;

const TARGETS_A_TURN = 100;
const NOTICES_A_TURN = 20;
const AT_ONCE = 8;
/** Longer than one round with a target can take. If the process dies, others leave the target alone for this time. */
const LEASE = 5 * MINUTE;
const MIN_RETRY_WAIT = 1 * MINUTE;
const MAX_RETRY_WAIT = 1 * HOUR;
/** Notifications older than this are dropped. */
const GIVEN_UP_AFTER = 1 * DAY;

export interface Delivered {
  sent: number;
  failed: number;
}

/** Sends queued notifications: to several targets in parallel, to each target in order. */
export const sendDueNotices = async (deps: Deps, stopping?: AbortSignal): Promise<Delivered> => {
  const { db, clock } = deps;
  const due = await db.read(() => storage.listDue(clock(), TARGETS_A_TURN));
  const gate = new Semaphore(AT_ONCE);
  const turns = due.map((target) => gate.run(() => sendToTarget(deps, target, stopping)));
  const done = await Promise.all(turns);
  return {
    sent: done.reduce((sum, { sent }) => sum + sent, 0),
    failed: done.reduce((sum, { failed }) => sum + failed, 0),
  };
};

/** The first notification that fails ends the round, because the next ones would fail too. */
const sendToTarget = async (deps: Deps, target: storage.Target, stopping?: AbortSignal): Promise<Delivered> => {
  const { db, clock, log } = deps;
  const now = clock();
  if (stopping?.aborted || !(await db.write(() => storage.claim(target, now + LEASE)))) return { sent: 0, failed: 0 };
  const givenUp = await db.write(() => storage.giveUp(target.id, now - GIVEN_UP_AFTER));
  if (givenUp > 0) log.warn("notice.given_up", { target: target.id, host: target.host, notices: givenUp });
  let sent = 0;
  try {
    for (const waiting of await db.read(() => storage.listOldest(target.id, NOTICES_A_TURN))) {
      await send(deps, target, waiting, stopping);
      sent += 1;
    }
  } catch (error) {
    if (!stopping?.aborted) return { sent, failed: await recordFailure(deps, target, error, sent) };
  }
  await db.write(() => storage.delay(target.id, clock()));
  return { sent, failed: 0 };
};

const send = async (
  deps: Deps,
  target: storage.Target,
  { id, body, createdAt }: storage.WaitingNotice,
  stopping?: AbortSignal,
): Promise<void> => {
  const { db, clock, config, vault, log } = deps;
  const notice = JSON.parse(body) as Notice;
  const link = notice.job && config.baseUrl ? `${config.baseUrl}/jobs/${notice.job.id}` : null;
  const address = openAddress(vault, target);
  await deliver(deps, target.kind, address, { id, at: createdAt, notice, link }, stopping);
  await db.write(() => storage.removeSent(id, target.id, clock()));
  log.info("notice.sent", { notice: id, what: notice.event, target: target.id, host: target.host });
};

const recordFailure = async (
  { db, clock, log }: Deps,
  { id, host, failures: before }: storage.Target,
  error: unknown,
  sent: number,
): Promise<number> => {
  const isTold = error instanceof AppError;
  const problem = isTold ? error.message : "Something went wrong. See the server's log for details.";
  const failures = sent > 0 ? 0 : before;
  const asked = isTold ? (error.retryAfterSeconds ?? 0) * SECOND : 0;
  const wait = Math.min(MAX_RETRY_WAIT, Math.max(MIN_RETRY_WAIT * 2 ** Math.min(failures, 10), asked));
  await db.write(() => storage.recordFailure(id, problem, clock() + wait));
  if (isTold) log.warn("notice.failed", { target: id, host, reason: problem, failures: failures + 1 });
  else log.error("notice.failed", { target: id, host, error, failures: failures + 1 });
  return 1;
};
