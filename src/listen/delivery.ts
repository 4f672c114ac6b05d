import type { Clock, Time } from "../kernel/clock.ts";
import { SECOND } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { untilAborted } from "../kernel/until-aborted.ts";
import type { FeedDocument, FeedRequest, Taken } from "../domain/jobs/feed.ts";
import type { Entry, Queue } from "./queue.ts";

export interface DeliveryDeps extends Pick<Time, "sleep"> {
  clock: Clock;
  queue: Queue;
  feed: (request: FeedRequest) => Promise<FeedDocument>;
  /** Called with the result of each entry. */
  onTaken: (entry: Entry, taken: Taken) => void;
  /** Called for an entry that the log will never accept. */
  onRefused: (entry: Entry, reason: string) => void;
  /** Called with a reason when the log cannot be reached, and with null when it can be reached again. */
  onWaiting: (reason: string | null) => void;
}

const MIN_RETRY_WAIT = 1 * SECOND;
const MAX_RETRY_WAIT = 30 * SECOND;
/** Time for a response that is on its way when the signal aborts. */
const SHUTDOWN_GRACE = 3 * SECOND;
/** How often an entry that waits for its answer is checked. */
const CHECK_EVERY = 250;

/**
 * Sends the queued entries to the log, in order, until the signal aborts. What the log does not accept now is sent
 * again.
 */
export const deliver = async (deps: DeliveryDeps, signal: AbortSignal): Promise<void> => {
  const { queue, clock, sleep, onWaiting } = deps;
  let wait = MIN_RETRY_WAIT;
  while (!signal.aborted) {
    const changed = queue.changed();
    const { told, answered } = queue.next(clock());
    queue.done(answered);
    if (told.length === 0) {
      await (queue.size === 0 ? untilAborted(changed, signal) : sleep(CHECK_EVERY, signal)).catch(() => {});
      continue;
    }
    try {
      await waitForShutdown(deps, sendEntries(deps, told), signal);
      onWaiting(null);
      wait = MIN_RETRY_WAIT;
    } catch (error) {
      const asked = error instanceof AppError ? (error.retryAfterSeconds ?? 0) * SECOND : 0;
      onWaiting((error as Error).message);
      await sleep(Math.min(MAX_RETRY_WAIT, Math.max(wait, asked)), signal).catch(() => {});
      wait *= 2;
    }
  }
};

/** Does not wait at shutdown for a log that does not respond. The entries are sent again at the next start. */
const waitForShutdown = async ({ sleep }: DeliveryDeps, telling: Promise<void>, signal: AbortSignal): Promise<void> => {
  try {
    await untilAborted(telling, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await Promise.race([telling, sleep(SHUTDOWN_GRACE)]);
  }
};

const sendEntries = async (deps: DeliveryDeps, entries: readonly Entry[]): Promise<void> => {
  const { queue, feed, onTaken } = deps;
  try {
    const { taken } = await feed({ client: entries[0]!.client, told: entries.map(({ told }) => told) });
    queue.done(entries);
    for (const [at, entry] of entries.entries()) onTaken(entry, taken[at]!);
  } catch (error) {
    if (!isFinal(error)) throw error;
    if (entries.length > 1) for (const entry of entries) await sendEntries(deps, [entry]);
    else await refuse(deps, entries[0]!, error.message);
  }
};

const refuse = async ({ queue, onRefused }: DeliveryDeps, entry: Entry, reason: string): Promise<void> => {
  await queue.refuse([entry], reason);
  onRefused(entry, reason);
};

/** The entry would be refused every time. Any other error can pass, even an invalid token. */
const isFinal = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === "invalid" || error.code === "too_large");
