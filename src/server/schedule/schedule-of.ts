import { DEFAULT_SCHEDULE, type AutoSyncSettings } from "../../domain/auto-sync.ts";
import { byService } from "../../domain/source.ts";
import * as autoSyncSettings from "../../storage/auto-sync-settings.ts";
import type { Unit } from "../../storage/unit.ts";

/** A user's schedule; where the operator took its table back, nothing is scheduled and the pages go on. */
export function* scheduleOf(userId: number): Unit<AutoSyncSettings> {
  if (yield* autoSyncSettings.isThere()) return yield* autoSyncSettings.of(userId);
  return byService(() => DEFAULT_SCHEDULE);
}
