import type { AdminActionName } from "../src/domain/actor.ts";
import { AWARD_GROUPS, AWARD_IDS, CONFIRMERS, SAT } from "../src/domain/award.ts";
import { BAND_NAMES } from "../src/domain/band.ts";
import { MODE_GROUPS, MODE_NAMES } from "../src/domain/mode.ts";
import { CONFIRMATION_WORDS, SORT_KEYS } from "../src/domain/qso-filter.ts";
import { SERVICES } from "../src/domain/source.ts";
import type { JobStatus } from "../src/domain/sync-job.ts";

/** What can stand for a value that a command asks for, by the name it asks with. */
export type Values =
  | { kind: "file" | "directory" | "username" | "job" | "text" }
  | {
      kind: "words";
      words: readonly string[];
      /** Several, with commas between them. */
      many?: boolean;
      /** Other words mean nothing. */
      closed?: boolean;
    };

const STATUSES: Record<JobStatus, null> = {
  pending: null,
  running: null,
  completed: null,
  failed: null,
  cancelled: null,
};

const ACTIONS: Record<AdminActionName, null> = {
  create_user: null,
  delete_user: null,
  promote: null,
  demote: null,
  reset_password: null,
  impersonate: null,
  stop_impersonation: null,
  write_as_user: null,
};

const KNOWN: Record<string, Values> = {
  file: { kind: "file" },
  directory: { kind: "directory" },
  username: { kind: "username" },
  job: { kind: "job" },
  source: { kind: "words", words: SERVICES, closed: true },
  award: { kind: "words", words: AWARD_IDS, closed: true },
  needed: { kind: "words", words: ["needed"], closed: true },
  confirmer: { kind: "words", words: CONFIRMERS, closed: true },
  group: { kind: "words", words: AWARD_GROUPS, closed: true },
  groups: { kind: "words", words: MODE_GROUPS, many: true, closed: true },
  statuses: { kind: "words", words: Object.keys(STATUSES), many: true, closed: true },
  confirmations: { kind: "words", words: CONFIRMATION_WORDS, many: true, closed: true },
  key: { kind: "words", words: SORT_KEYS.flatMap((key) => [key, `-${key}`]), closed: true },
  action: { kind: "words", words: Object.keys(ACTIONS), closed: true },
  band: { kind: "words", words: [...BAND_NAMES, SAT] },
  bands: { kind: "words", words: BAND_NAMES, many: true },
  mode: { kind: "words", words: MODE_NAMES },
  modes: { kind: "words", words: MODE_NAMES, many: true },
};

/** A name with bars in it lists its values itself. */
export const valuesFor = (name: string): Values =>
  name.includes("|") ? { kind: "words", words: name.split("|"), closed: true } : (KNOWN[name] ?? { kind: "text" });
