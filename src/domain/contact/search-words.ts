import { BAND_NAMES, parseBand } from "../radio/band.ts";
import { ENTITIES, getEntityName } from "../radio/entity.ts";
import { UNKNOWN } from "./field-texts.ts";
import { FIELDS, listFieldsWith } from "./fields.ts";
import { normaliseMode, MODE_GROUPS, MODE_NAMES } from "../radio/mode.ts";
import { LABELS, getTypedLabel } from "../origins/labels.ts";
import { SERVICES } from "../jobs/source.ts";
import { lazy } from "../../kernel/lazy.ts";
import { suggest } from "../../kernel/similar-words.ts";

/** Filters as query parameters. */
type Parameters = Record<string, string>;
type Wrong = (message: string) => void;

/** One condition of a search as typed. */
export interface SearchToken {
  text: string;
  /** Null for plain text. */
  name: string | null;
  value: string;
}

/** Prefixes before a colon and the filters they stand for. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    listFieldsWith("filter").map((field) => [FIELDS[field].filter.name, FIELDS[field].filter.name]),
  ),
  from: "from",
  to: "to",
  hour: "hour",
  at: "at",
  not: "notAt",
  by: "confirmation",
};

const NAMES_IN_LOWER_CASE = new Map(Object.keys(NAMES).map((name) => [name.toLowerCase(), name]));

/** Services as people type them, and their filter values. */
const SERVICE_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  SERVICES.map((service) => [getTypedLabel(service), service]),
);

/** Confirmations as people type them, and their filter values. */
export const CONFIRMATION_WORDS: Readonly<Record<string, string>> = {
  any: "any",
  none: "none",
  both: "both",
  ...SERVICE_WORDS,
  card: "card",
  ...Object.fromEntries(SERVICES.map((service) => [`${getTypedLabel(service)}-only`, `${service}Only`])),
  "card-only": "cardOnly",
};

/** Splits at spaces. Quotes keep words together; a token that begins with a quote is plain text. */
export const parseTokens = (search: string): SearchToken[] =>
  [...search.matchAll(/"([^"]*)"?|((?:[^\s"]|"[^"]*"?)+)/g)].map(([text, quoted, word]) =>
    word === undefined ? { text, name: null, value: quoted! } : parseToken(word),
  );

const parseToken = (text: string): SearchToken => {
  const named = /^(\w+):(.*)$/s.exec(text);
  const known = named && NAMES_IN_LOWER_CASE.get(named[1]!.toLowerCase());
  if (known) return { text, name: known, value: named[2]!.replaceAll('"', "") };
  if (named) return { text, name: named[1]!, value: named[2]! };
  const guess = GUESSES.find(([fits]) => text.split(",").every((part) => fits(part)));
  return { text, name: guess ? guess[1] : null, value: guess ? (guess[2]?.(text) ?? text) : text };
};

const YEAR = /^(19|20)\d\d$/;
const DAYS = /^((?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?)?(?:(\.\.)((?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?)?)?$/;

/** What a word without a prefix stands for. */
const GUESSES: readonly (readonly [fits: (word: string) => boolean, name: string, value?: (word: string) => string])[] =
  [
    [(word) => DAYS.test(word) && /^\d|^\.\.\d/.test(word), "days"],
    [(word) => /[a-z]/i.test(word) && parseBand(word) !== null, "band"],
    [(word) => MODE_NAMES.includes(getFilterName(word)), "mode"],
    [(word) => (MODE_GROUPS as readonly string[]).includes(word.toLowerCase()), "group"],
    [(word) => word.toLowerCase() === "confirmed", "by", () => "any"],
    [(word) => word.toLowerCase() === "unconfirmed", "by", () => "none"],
    [(word) => word.includes("*") && /^[A-Z0-9/*]+$/i.test(word) && /[A-Z0-9]/i.test(word), "call"],
  ];

const getFilterName = (word: string): string => {
  const { mode, submode } = normaliseMode(word) ?? {};
  return submode ?? mode ?? "";
};

/** Parses a search into filters. A token that ends with a colon is still being typed. */
export const readSearch = (search: string, wrong: Wrong): Parameters => {
  const found: Parameters = {};
  const free: string[] = [];
  for (const { name, value, text } of parseTokens(search)) {
    if (value === "") continue;
    if (name === null) free.push(value);
    else if (name === "days") addDays(found, value, wrong);
    else if (!Object.hasOwn(NAMES, name)) wrong(describeUnknown(name));
    else add(found, NAMES[name]!, parseValue(name, value, text, wrong), wrong);
  }
  return free.length > 0 ? { ...found, q: free.join(" ") } : found;
};

/** A name that is not similar to any other is probably part of a text. */
const describeUnknown = (name: string): string => {
  const known = Object.keys(NAMES).map((one) => `${one}:`);
  const hint = suggest(`${name}:`, known) || " To search for this text, put it in quotes.";
  return `You cannot search by ${JSON.stringify(`${name}:`)}.${hint}`;
};

const add = (found: Parameters, name: string, value: string, wrong: Wrong): void => {
  if (found[name] !== undefined && (name === "from" || name === "to")) wrong(TWICE);
  found[name] = found[name] === undefined ? value : `${found[name]},${value}`;
};

const TWICE = "A search can have only one time range, such as 2023..2024.";

const addDays = (found: Parameters, value: string, wrong: Wrong): void => {
  const [, one, dots, other] = DAYS.exec(value)!;
  const isBackwards = one && other && one.padEnd(10, "-01") > getLastDay(other);
  const [first, last] = isBackwards ? [other, one] : [one, other];
  if (first) add(found, "from", first.padEnd(10, "-01"), wrong);
  const end = dots ? last : first;
  if (end) add(found, "to", getLastDay(end), wrong);
};

/** A month that does not exist stays as it is, so that the filter refuses it. */
const getLastDay = (stretch: string): string => {
  const [year, month, day] = stretch.split("-").map(Number);
  if (day !== undefined) return stretch;
  if (month !== undefined && (month < 1 || month > 12)) return `${stretch}-01`;
  return new Date(Date.UTC(year!, month ?? 12, 0)).toISOString().slice(0, 10);
};

const parseValue = (name: string, value: string, text: string, wrong: Wrong): string => {
  const parts = value.split(",");
  if (name === "dxcc") return parts.map((part) => findEntities(part, wrong)).join(",");
  if (name === "ownDxcc")
    return parts.map((part) => (part.toLowerCase() === UNKNOWN ? part : findEntities(part, wrong))).join(",");
  if (name === "by") return parts.map((part) => lookUp(CONFIRMATION_WORDS, "a confirmation", part, wrong)).join(",");
  if (name === "at" || name === "not")
    return parts.map((part) => lookUp(SERVICE_WORDS, "a service", part, wrong)).join(",");
  if (name === "from" && YEAR.test(text.slice(5))) return value.padEnd(10, "-01");
  return name === "to" && YEAR.test(value) ? getLastDay(value) : parts.join(",");
};

/** The filter value of a typed word. Filter values are also accepted; the filter refuses an empty part. */
const lookUp = (words: Readonly<Record<string, string>>, what: string, part: string, wrong: Wrong): string => {
  const typed = part.trim().toLowerCase();
  const value = Object.entries(words).find(([word, meant]) => [word, meant.toLowerCase()].includes(typed))?.[1];
  if (value === undefined && typed !== "")
    wrong(`${JSON.stringify(part)} is not ${what}; use ${Object.keys(words).join(", ")}.`);
  return value ?? (typed && Object.values(words)[0]!);
};

/** The name without accents, punctuation and case. */
const toSlug = (name: string): string =>
  name
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

const listSlugs = lazy(() => ENTITIES.map(({ number, name, deleted }) => ({ number, slug: toSlug(name), deleted })));

/** Finds entities by number or name: an exact match, otherwise all that begin with the text or contain it. */
const findEntities = (part: string, wrong: Wrong): string => {
  const wanted = toSlug(part);
  if (/^\d+$/.test(part) || wanted === "none" || wanted === "") return part;
  const slugs = listSlugs();
  const current = slugs.filter(({ deleted }) => !deleted);
  const fits = [
    slugs.filter(({ slug }) => slug === wanted),
    current.filter(({ slug }) => slug.startsWith(wanted)),
    current.filter(({ slug }) => slug.includes(wanted)),
  ].find(({ length }) => length > 0);
  if (!fits) wrong(`There is no entity named ${JSON.stringify(part)}.`);
  return (fits ?? []).map(({ number }) => number).join(",") || "none";
};

/** Moves the filters that a search can express into the search text, and returns the others. */
export const splitFilters = (
  given: Readonly<Record<string, string>>,
): { search: string; others: Record<string, string> } => {
  const { search = "", ...filters } = given;
  const isSaid = (name: string) => name === "q" || Object.values(NAMES).includes(name);
  const [said, others] = [true, false].map((wanted) =>
    Object.fromEntries(Object.entries(filters).filter(([name]) => isSaid(name) === wanted)),
  );
  return { search: [formatSearch(said!), search.trim()].filter(Boolean).join(" "), others: others! };
};

/** Writes filters as a search. */
export const formatSearch = ({ from, to, q, ...rest }: Readonly<Record<string, string | undefined>>): string =>
  [
    ...Object.entries(NAMES).flatMap(([name, filter]) => {
      const value = rest[filter];
      return value === undefined || value === "" ? [] : [formatShortest(name, value)];
    }),
    formatDays(from, to),
    q && parseTokens(q).every(({ name }) => name === null) && !q.includes('"') ? q : q && `"${q.replaceAll('"', "")}"`,
  ]
    .filter(Boolean)
    .join(" ");

const formatShortest = (name: string, value: string): string => {
  const said = formatValue(name, value);
  const bare = parseToken(said);
  if (bare.name === name && bare.value === said) return said;
  if (name === "by" && said === "any") return "confirmed";
  return name === "by" && said === "none" ? "unconfirmed" : `${name}:${said}`;
};

/** The value as people type it. */
const formatValue = (name: string, value: string): string =>
  value
    .split(",")
    .map((part) => {
      if (name === "dxcc") return /^\d+$/.test(part) ? toSlug(getEntityName(Number(part))) : part;
      if (name === "at" || name === "not" || name === "by")
        return Object.keys(CONFIRMATION_WORDS).find((word) => CONFIRMATION_WORDS[word] === part) ?? part;
      return /\s/.test(part) ? `"${part}"` : name === "band" || name === "mode" ? part.toLowerCase() : part;
    })
    .join(",");

const formatDays = (from: string | undefined, to: string | undefined): string => {
  if (!from && !to) return "";
  const whole = [from?.slice(0, 4), from?.slice(0, 7), from].find(
    (stretch) => stretch && DAYS.test(stretch) && stretch.padEnd(10, "-01") === from && getLastDay(stretch) === to,
  );
  if (whole) return whole;
  if (from?.endsWith("-01-01") && to?.endsWith("-12-31")) return `${from.slice(0, 4)}..${to.slice(0, 4)}`;
  if ([from, to].every((day) => !day || /^(19|20)\d\d-\d\d-\d\d$/.test(day))) return `${from ?? ""}..${to ?? ""}`;
  return [from && `from:${from}`, to && `to:${to}`].filter(Boolean).join(" ");
};

/** Narrows a search. A new word replaces the one about the same filter. */
export const narrowSearch = (search: string, words: readonly string[]): string => {
  const more = parseTokens(words.join(" "));
  const isSaidAnew = (name: string | null) => more.some((one) => getAspect(one.name) === getAspect(name));
  return [...parseTokens(search).filter(({ name }) => name === null || !isSaidAnew(name)), ...more]
    .map(({ text }) => text)
    .join(" ");
};

/** `from`, `to` and `days` all limit the date. */
const getAspect = (name: string | null): string | null => (name === "from" || name === "to" ? "days" : name);

export interface Chip {
  words: string;
  /** The search without this part. */
  without: string;
}

/** The parts of a search in words. */
export const listChips = (search: string): Chip[] => {
  const tokens = parseTokens(search);
  return tokens.map((token, index) => ({
    words: describeToken(token),
    without: tokens
      .filter((_, other) => other !== index)
      .map(({ text }) => text)
      .join(" "),
  }));
};

const LABEL_OF: Readonly<Record<string, string>> = Object.fromEntries(
  SERVICES.map((service) => [getTypedLabel(service), LABELS[service]]),
);

const describeToken = ({ text, name, value }: SearchToken): string => {
  const label = LABEL_OF[value.toLowerCase()] ?? value;
  if (name === "dxcc") {
    const numbers = findEntities(value, () => {}).split(",");
    return numbers.length === 1 && Number(numbers[0]) > 0 ? getEntityName(Number(numbers[0])) : `entity ${value}`;
  }
  if (name === "not") return `not on ${label}`;
  if (name === "at") return `on ${label}`;
  const word = value.toLowerCase();
  if (name === "by" && word === "any") return "confirmed";
  if (name === "by") return word === "none" ? "not confirmed" : `confirmed by ${label}`;
  return name === null || !text.includes(":") ? text : `${name} ${value}`;
};

const USUAL_MODES = ["FT8", "FT4", "CW", "SSB", "RTTY", "PSK31", "FM", "AM", "JS8", "JT65", "MSK144", "SSTV"];

const COMMON: readonly string[] = [
  ...BAND_NAMES,
  ...USUAL_MODES.map((mode) => mode.toLowerCase()),
  ...MODE_GROUPS.filter((group) => group !== "cw"),
  "confirmed",
  "unconfirmed",
  ...["not", "at", "by"].flatMap((name) => SERVICES.map((service) => `${name}:${getTypedLabel(service)}`)),
  "by:card",
  "by:both",
  ...Object.keys(NAMES)
    .filter((name) => !["at", "not", "by", "band", "mode", "group"].includes(name))
    .map((name) => `${name}:`),
];

const MAX_COMPLETIONS = 12;
const MIN_NAME_LENGTH = 2;

/** Complete searches that extend the last word of this one. */
export const listCompletions = (search: string): string[] => {
  const [, before = "", begun = ""] = /^(.*?)(\S*)$/s.exec(search)!;
  const last = begun.toLowerCase();
  if (last === "") return [];
  const wanted = toSlug(last.replace(/^dxcc:/, ""));
  const isName = last.startsWith("dxcc:") || wanted.length >= MIN_NAME_LENGTH;
  const entities = isName
    ? listSlugs()
        .filter(({ slug, deleted }) => !deleted && slug.startsWith(wanted))
        .map(({ slug }) => `dxcc:${slug}`)
    : [];
  return [...COMMON.filter((word) => word.toLowerCase().startsWith(last)), ...entities]
    .filter((word) => word.toLowerCase() !== last)
    .slice(0, MAX_COMPLETIONS)
    .map((word) => before + word);
};
