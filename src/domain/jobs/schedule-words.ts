import type { ServiceSchedule } from "./auto-sync.ts";

export const AUTO_SYNC_OFF = "schedule is off";

export const PAUSE_WORDS: Record<NonNullable<ServiceSchedule["paused"]>, string> = {
  credentials: "paused: the service rejected your account",
  not_configured: "paused: not set up",
};
