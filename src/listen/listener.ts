import type { Clock, Time } from "../kernel/clock.ts";
import { MINUTE, SECOND } from "../kernel/clock.ts";
import type { FeedDocument, FeedRequest, Taken } from "../domain/jobs/feed.ts";
import { deliver } from "./delivery.ts";
import { lockFolder, getQueueFolder } from "./folder.ts";
import { listen, type Place, type Port, type Protocol } from "./ports.ts";
import { Queue, type Entry } from "./queue.ts";

/** Receives events. */
export interface ListenerEvents {
  onListening: (places: (Place & { speech: Protocol })[]) => void;
  /** The entry is on disk, so a kill no longer loses it. */
  onHeard: (entry: Entry) => void;
  onTaken: (entry: Entry, taken: Taken) => void;
  onRefused: (entry: Entry, reason: string) => void;
  /** Why the log accepts nothing and how much is queued; null when it accepts entries again. */
  onWaiting: (reason: string | null, waiting: number) => void;
  onDisk: (problem: string | null) => void;
  /** The queue is full and refuses contacts; null when it accepts them again. */
  onFull: (isFull: true | null) => void;
  onBroken: (reason: string, from: string, count: number) => void;
}

interface Deps extends Pick<Time, "sleep" | "every">, ListenerEvents {
  clock: Clock;
  feed: (request: FeedRequest) => Promise<FeedDocument>;
}

interface Wanted {
  places: readonly { speech: Protocol; place: Place }[];
  /** The log that receives the contacts. */
  to: string;
  dataDir: string;
}

const DISK_LOOKED_AT_EVERY = 1 * SECOND;

/** Listens to programs and sends what they log, until the signal aborts. What is left is sent after the next start. */
export const listenInto = async (deps: Deps, { places, to, dataDir }: Wanted, signal: AbortSignal): Promise<void> => {
  const folder = getQueueFolder(dataDir);
  const leave = lockFolder(folder, deps);
  const ports: Port[] = [];
  try {
    const queue = await Queue.open(deps, { folder, to });
    const onHeard = async (heard: Parameters<Queue["add"]>[0]) => (await queue.add(heard)).forEach(deps.onHeard);
    const onBroken = countBroken(deps);
    for (const { speech, place } of places) ports.push(await listen({ speech, place, onHeard, onBroken }));
    deps.onListening(ports.map(({ place }, at) => ({ speech: places[at]!.speech, ...place })));
    const lookAtDisk = onChange(() => queue.diskProblem, deps.onDisk);
    const lookAtRoom = onChange(() => queue.isFull || null, deps.onFull);
    const watch = deps.every(DISK_LOOKED_AT_EVERY, () => {
      lookAtDisk();
      lookAtRoom();
    });
    const waiting = onChange<string | null, [string | null]>(
      (reason) => reason,
      (reason) => deps.onWaiting(reason, queue.size),
    );
    await deliver({ ...deps, queue, onWaiting: waiting }, signal);
    watch();
    await Promise.all(ports.splice(0).map((port) => port.close()));
    await queue.close();
  } finally {
    await Promise.all(ports.map((port) => port.close()));
    leave();
  }
};

/** Calls `tell` when the value changes, but not for the first value if it is null. */
const onChange = <T, Given extends unknown[]>(look: (...given: Given) => T | null, tell: (value: T | null) => void) => {
  let last: T | null = null;
  return (...given: Given): void => {
    const now = look(...given);
    if (now === last) return;
    last = now;
    tell(now);
  };
};

/** Reports at most one line a minute when many packets are invalid. */
const countBroken = ({ clock, onBroken }: Pick<Deps, "clock" | "onBroken">) => {
  let count = 0;
  let toldAt: number | null = null;
  return (reason: string, from: string): void => {
    count += 1;
    const now = clock();
    if (toldAt !== null && now >= toldAt && now - toldAt < MINUTE) return;
    toldAt = now;
    onBroken(reason, from, count);
  };
};
