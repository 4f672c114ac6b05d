import type { ServiceSchedule } from "./auto-sync.ts";

export const AUTO_SYNC_OFF = "auto-sync is off";

export const PAUSE_WORDS: Record<NonNullable<ServiceSchedule["paused"]>, string> = {
  credentials: "paused: the credentials were rejected",
  not_configured: "paused: not set up",
};
