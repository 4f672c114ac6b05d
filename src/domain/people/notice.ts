import { AppError } from "../../kernel/errors.ts";
import type { Places } from "../jobs/gains.ts";
import type { Source } from "../jobs/source.ts";

/** What a user can be told of. */
export const NOTICE_EVENTS = ["sync_failed", "new_worked", "new_confirmed", "leftovers"] as const;
export type NoticeEvent = (typeof NOTICE_EVENTS)[number];

export const EVENT_WORDS: Record<NoticeEvent, string> = {
  sync_failed: "a sync failed or paused",
  new_worked: "something new worked",
  new_confirmed: "something new confirmed",
  leftovers: "records left over",
};

/** Where notices go: any program that takes a POST, or a server of ntfy. */
export const TARGET_KINDS = ["webhook", "ntfy"] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

export const KIND_WORDS: Record<TargetKind, string> = { webhook: "Webhook", ntfy: "ntfy" };

/** What a target is sent. A test is sent when somebody asks for it, whatever was chosen. */
export interface Notice {
  event: NoticeEvent | "test";
  title: string;
  text: string;
  user: string;
  callsign: string | null;
  job: { id: number; source: Source } | null;
  /** What is new, by name. */
  gains?: Places;
  /** Nothing more is scheduled until somebody enters credentials that work. */
  paused?: boolean;
}

/** A target as its user sees it: its address may hold a secret, so only the host is given back. */
export interface TargetView {
  id: number;
  kind: TargetKind;
  host: string;
  events: NoticeEvent[];
  createdAt: number;
  lastSentAt: number | null;
  /** What the last attempt came to, where it failed. */
  problem: string | null;
  /** Notices that have not arrived yet. */
  waiting: number;
}

export const MAX_TARGETS = 5;
export const MAX_ADDRESS_LENGTH = 500;

/** The events that are named, each once and in their order; with none of them there is nothing to tell. */
export const readEvents = (given: readonly string[]): NoticeEvent[] => {
  const unknown = given.find((one) => !NOTICE_EVENTS.includes(one as NoticeEvent));
  if (unknown === undefined && given.length > 0) return NOTICE_EVENTS.filter((event) => given.includes(event));
  const message =
    unknown === undefined
      ? "Choose at least one event."
      : `There is no event ${JSON.stringify(unknown)}: use ${NOTICE_EVENTS.join(", ")}.`;
  throw new AppError("invalid", message, { fields: [{ path: "events", message }] });
};
