import { sendDueNotices } from "../notices/send-due.ts";
import type { TargetView } from "../domain/people/notice.ts";
import * as targets from "../notices/targets.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

export type { TargetOrder } from "../notices/targets.ts";

export interface TargetsDocument {
  targets: TargetView[];
}

/** The signing key of a webhook is only returned once; ntfy has none. */
export type NewTarget = TargetView & { key: string | null };

/** The notification targets of a user. */
export const listTargets = (world: Pick<World, "db">, { owner: { id } }: LogCaller): Promise<TargetsDocument> =>
  targets.listTargets(world, id);

export const addTarget = (
  world: Parameters<typeof targets.addTarget>[0] & Pick<World, "limits">,
  { owner: { id } }: LogCaller,
  order: targets.TargetOrder,
): Promise<NewTarget> => {
  world.limits.count("notice", id);
  return targets.addTarget(world, id, order);
};

/** Replaces the events of a target. */
export const changeTarget = (
  world: Pick<World, "db">,
  { owner: { id } }: LogCaller,
  targetId: number,
  events: readonly string[],
): Promise<TargetView> => targets.changeEvents(world, id, targetId, events);

export const removeTarget = (world: Pick<World, "db">, { owner: { id } }: LogCaller, targetId: number): Promise<void> =>
  targets.removeTarget(world, id, targetId);

/** Sends a test message immediately. */
export const testTarget = (
  world: Parameters<typeof targets.testTarget>[0] & Pick<World, "limits">,
  { owner: { id } }: LogCaller,
  targetId: number,
): Promise<TargetView> => {
  world.limits.count("notice", id);
  return targets.testTarget(world, id, targetId);
};

/** Sends queued notifications if no server does. What fails is left for a server. */
export const tellNow = async (world: World, stopping: AbortSignal): Promise<void> => {
  await sendDueNotices(world, stopping).catch((error: unknown) =>
    world.log.error("notices.delivery_failed", { error }),
  );
};
