import { ACTION_WORDS } from "../src/domain/people/actor.ts";
import { AWARD_GROUPS, AWARD_IDS, CONFIRMERS, SAT } from "../src/domain/awards/award.ts";
import { NOTICE_EVENTS } from "../src/domain/people/notice.ts";
import { BAND_NAMES } from "../src/domain/radio/band.ts";
import { AppError } from "../src/kernel/errors.ts";
import { MODE_GROUPS, MODE_NAMES } from "../src/domain/radio/mode.ts";
import { SORT_KEYS } from "../src/domain/contact/qso-filter.ts";
import { CONFIRMATION_WORDS } from "../src/domain/contact/search-words.ts";
import { JOB_STATUSES } from "../src/domain/jobs/sync-job.ts";
import { SERVICES } from "../src/domain/jobs/source.ts";
import { getTypedLabel, readSource } from "../src/domain/origins/labels.ts";

/** The possible values of an option or argument, by its placeholder. */
export type Values =
  | { kind: "file" | "directory" | "username" | "job" | "text" }
  | {
      kind: "words";
      words: readonly string[];
      /** A comma-separated list. */
      many?: boolean;
      /** No other values are allowed. */
      closed?: boolean;
    };

/** Adds the service's label before each word of the contract that names a service. */
const addLabels = (words: readonly string[]): string[] =>
  words.flatMap((word) => {
    const service = SERVICES.find((one) => word === one);
    return service === undefined ? [word] : [getTypedLabel(service), word];
  });

/** Confirmations as people type them, then as programs do, such as `firstOnly`. */
const CONFIRMATIONS: readonly string[] = [
  ...Object.keys(CONFIRMATION_WORDS),
  ...SERVICES.flatMap((service) => [`${getTypedLabel(service)}Only`, service, `${service}Only`]),
  "cardOnly",
];

/** Words that only programs use: people use the service's label. */
const isContractWord = (word: string): boolean => SERVICES.some((service) => word === service) || word.endsWith("Only");

/** Throws for an unknown value, listing the values as people type them. */
export const assertKnown = (option: string, values: string, text: string | undefined): void => {
  const known = getValues(values);
  if (text === undefined || known.kind !== "words") return;
  const isKnown = (part: string) => known.words.some((word) => word.toLowerCase() === part.trim().toLowerCase());
  const strange = (known.many ? text.split(",") : [text]).find((part) => !isKnown(part));
  if (strange === undefined) return;
  const words = known.words.filter((word) => !isContractWord(word)).join(", ");
  throw new AppError("invalid", `${JSON.stringify(strange)} is not valid for ${option}. Use ${words}.`);
};

const KNOWN: Record<string, Values> = {
  file: { kind: "file" },
  directory: { kind: "directory" },
  username: { kind: "username" },
  job: { kind: "job" },
  service: { kind: "words", words: addLabels(SERVICES), closed: true },
  services: { kind: "words", words: addLabels(SERVICES), many: true, closed: true },
  award: { kind: "words", words: AWARD_IDS, closed: true },
  needed: { kind: "words", words: ["needed", "cards"], closed: true },
  confirmer: { kind: "words", words: addLabels(CONFIRMERS), closed: true },
  group: { kind: "words", words: AWARD_GROUPS, closed: true },
  groups: { kind: "words", words: MODE_GROUPS, many: true, closed: true },
  statuses: { kind: "words", words: [...JOB_STATUSES, "rolled-back"], many: true, closed: true },
  confirmations: { kind: "words", words: CONFIRMATIONS, many: true, closed: true },
  key: { kind: "words", words: SORT_KEYS.flatMap((key) => [key, `-${key}`]), closed: true },
  events: { kind: "words", words: NOTICE_EVENTS, many: true, closed: true },
  action: { kind: "words", words: Object.keys(ACTION_WORDS), closed: true },
  band: { kind: "words", words: [...BAND_NAMES, SAT] },
  bands: { kind: "words", words: BAND_NAMES, many: true },
  mode: { kind: "words", words: MODE_NAMES },
  modes: { kind: "words", words: MODE_NAMES, many: true },
};

/** A placeholder with bars lists its values itself, with services by label. */
export const getValues = (name: string): Values =>
  name.includes("|")
    ? { kind: "words", words: name.split("|").flatMap(addLabel), closed: true }
    : (KNOWN[name] ?? { kind: "text" });

const addLabel = (word: string): string[] => [...new Set([word, readSource(word) ?? word])];
