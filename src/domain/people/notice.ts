import { invalidField } from "../../kernel/errors.ts";
import type { Places } from "../jobs/gains.ts";
import type { Source } from "../jobs/source.ts";

/** Events that a user can be notified of. */
export const NOTICE_EVENTS = ["sync_failed", "new_worked", "new_confirmed", "leftovers"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export const EVENT_WORDS: Record<NoticeEvent, string> = {
  sync_failed: "a failed or paused sync",
  new_worked: "something new worked",
  new_confirmed: "something new confirmed",
  leftovers: "unresolved records",
};

/** Targets for notifications: any URL that accepts a POST, or an ntfy server. */
export const TARGET_KINDS = ["webhook", "ntfy", "mail"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const KIND_WORDS: Record<TargetKind, string> = { webhook: "Webhook", ntfy: "ntfy", mail: "Mail" };

/** The content of a notification. A test is sent on request, whatever events are selected. */
export interface Notice {
  event: NoticeEvent | "backup_failed" | "test";
  title: string;
  text: string;
  user: string;
  callsign: string | null;
  job: { id: number; source: Source } | null;
  /** What is new, by name. */
  gains?: Places;
  /** Nothing is scheduled until the user enters valid credentials. */
  paused?: boolean;
}

/** A target as its user sees it. The URL can contain a secret, so only its host is returned. */
export interface TargetView {
  id: number;
  kind: TargetKind;
  host: string;
  events: NoticeEvent[];
  createdAt: number;
  lastSentAt: number | null;
  /** Why the last attempt failed. */
  problem: string | null;
  /** Notifications that are not delivered yet. */
  waiting: number;
}

export const MAX_TARGETS = 5;
export const MAX_ADDRESS_LENGTH = 500;

/** Parses the selected events, without repetitions and in standard order. At least one is required. */
export const readEvents = (given: readonly string[]): NoticeEvent[] => {
  const unknown = given.find((one) => !NOTICE_EVENTS.includes(one as NoticeEvent));
  if (unknown === undefined && given.length > 0) return NOTICE_EVENTS.filter((event) => given.includes(event));
  throw invalidField(
    "events",
    unknown === undefined
      ? "Choose at least one event."
      : `There is no event ${JSON.stringify(unknown)}; use ${NOTICE_EVENTS.join(", ")}.`,
  );
};
