import { fromNow, utc } from "../../words.ts";
import type { Column } from "../table.tsx";
import { SETTINGS_TEXTS } from "../../texts/settings.ts";

const WORDS = SETTINGS_TEXTS.access;

/** When a way to sign in or a token was created: the heading, and its name on a phone. */
export const createdColumn = (head: string, label: string): Column<{ createdAt: number }> => ({
  head,
  label,
  class: "when",
  text: ({ createdAt }) => utc(createdAt),
});

export const lastUsedColumn = (now: number): Column<{ lastUsedAt: number | null }> => ({
  head: WORDS.lastUsed,
  label: WORDS.lastUsed,
  class: "when",
  text: ({ lastUsedAt }) => (lastUsedAt === null ? WORDS.never : fromNow(lastUsedAt, now)),
});
