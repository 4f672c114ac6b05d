import { checkOrder, parseDay } from "../../kernel/day.ts";
import { AppError, type FieldProblem, invalidFields } from "../../kernel/errors.ts";
import type { FilterRule } from "./field-texts.ts";
import { FIELDS, listFieldsWith, type FieldFilters } from "./fields.ts";
import { CONFIRMATIONS, type Confirmation } from "./qso.ts";
import { readSearch as readSearchWords } from "./search-words.ts";
import { SERVICES, type Service } from "../jobs/source.ts";

/** Selects contacts. Any value of a list matches; a missing filter matches everything. */
export interface QsoFilter extends FieldFilters {
  /** Start time in epoch milliseconds, inclusive. */
  from?: number;
  /** End time, exclusive. */
  to?: number;
  /** Hours of the start time (UTC). */
  hour?: readonly number[];
  confirmation?: readonly ConfirmationWord[];
  /** Contacts that one of these services has. */
  at?: readonly Service[];
  /** Contacts that none of these services has. */
  notAt?: readonly Service[];
  /** Part of call, name, QTH, comment or grid. */
  q?: string;
  /** Ids of the contacts. */
  id?: readonly number[];
}

export type ConfirmationWord = Confirmation | Service | "card" | "any";

export const SORT_KEYS = ["startedAt", "call", "band", "mode", "dxcc", "updatedAt"] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface QsoSort {
  key: SortKey;
  descending: boolean;
}

/** One page of a list. */
export interface QsoListing {
  filter: QsoFilter;
  sort: QsoSort;
  limit: number;
  /** Start after this cursor. */
  cursor?: string;
  /** End before this cursor. Not together with `cursor`. */
  before?: string;
}

/** A list request as text, from a query string or command options. */
export type QsoParameters = Partial<Record<FilterParameter | "sort" | "limit" | "cursor" | "before", string>>;
/** `search` combines several other filters in one line. */
export type FilterParameter = keyof QsoFilter | "search";

const NEWEST_FIRST: QsoSort = { key: "startedAt", descending: true };
export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 500;

/** Parses the parameters of a list. Throws with all problems at once. */
export const parseListing = (parameters: QsoParameters): QsoListing => {
  const { sort, limit, cursor, before, ...rest } = parameters;
  const problems: FieldProblem[] = [];
  const createReporter = (path: string) => (message: string) => void problems.push({ path, message });
  const listing = {
    filter: readFilter(rest, problems),
    sort: sort === undefined ? NEWEST_FIRST : readSort(sort, createReporter("sort")),
    limit: limit === undefined ? DEFAULT_LIMIT : readLimit(limit, createReporter("limit")),
    ...(cursor === undefined ? {} : { cursor }),
    ...(before === undefined ? {} : { before }),
  };
  if (cursor !== undefined && before !== undefined) createReporter("before")("Use either before or cursor, not both.");
  refuse(problems);
  return listing;
};

/** Parses filters for requests without pages, such as an export. */
export const parseFilter = (parameters: Partial<Record<FilterParameter, string>>): QsoFilter => {
  const problems: FieldProblem[] = [];
  const filter = readFilter(parameters, problems);
  refuse(problems);
  return filter;
};

/** Parses a comma-separated list of own callsigns; null if none is given. */
export const parseStations = (text: string | null | undefined): readonly string[] | null =>
  text == null ? null : parseFilter({ station: text }).station!;

const refuse = (fields: FieldProblem[]): void => {
  if (fields.length > 0) throw invalidFields(fields);
};

const MAX_LENGTH = 4_000;
const MAX_VALUES = 500;

/** Reports a problem with a value. The value that the reader returns is then ignored. */
type Wrong = (message: string) => void;
type Reader<T> = (text: string, wrong: Wrong) => T;

const readFilter = (
  { search, ...parameters }: Record<string, string | undefined>,
  problems: FieldProblem[],
): QsoFilter => {
  const filter: Record<string, unknown> = {};
  const given = Object.entries(parameters).concat(
    search === undefined ? [] : parseSearch(search, parameters, problems),
  );
  for (const [path, text] of given) {
    if (text === undefined) continue;
    const wrong = (message: string) => void problems.push({ path, message });
    if (!Object.hasOwn(READERS, path)) wrong(`There is no parameter ${JSON.stringify(path)}.`);
    else if (text.trim() === "") wrong(`${path} is empty.`);
    else if (text.length > MAX_LENGTH || text.includes("\0"))
      wrong(`${path} is not valid text, or is longer than ${MAX_LENGTH} characters.`);
    else filter[path] = READERS[path as keyof QsoFilter](text.trim(), wrong);
  }
  const { from, to } = Object.fromEntries(given);
  const slip = checkOrder(from?.trim(), to?.trim());
  if (slip !== null) problems.push(slip);
  return filter as QsoFilter;
};

/** Parses the search text into filters. A filter can be given there or as a parameter, not both. */
const parseSearch = (
  search: string,
  others: Record<string, string | undefined>,
  problems: FieldProblem[],
): [string, string][] => {
  const wrong = (message: string) => void problems.push({ path: "search", message });
  if (search.length > MAX_LENGTH || search.includes("\0")) {
    wrong(`The search is not valid text, or is longer than ${MAX_LENGTH} characters.`);
    return [];
  }
  const meant = Object.entries(readSearchWords(search, wrong));
  for (const [name] of meant)
    if (others[name] !== undefined) wrong(`${name} is given both in the search and on its own. Use it once.`);
  return meant;
};

const listOf =
  <T>(read: Reader<T>): Reader<T[]> =>
  (text, wrong) => {
    const parts = text.split(",").map((part) => part.trim());
    if (parts.length > MAX_VALUES) wrong(`You can use at most ${MAX_VALUES} values.`);
    if (parts.includes("")) wrong(`${JSON.stringify(text)} has an empty value between commas.`);
    return parts.map((part) => read(part, wrong));
  };

const oneOf =
  <T>({ read, what }: FilterRule<T>): Reader<T> =>
  (text, wrong) => {
    const value = read(text);
    if (value === undefined) wrong(`${JSON.stringify(text)} is not ${what}.`);
    return value as T;
  };

const readDay =
  (path: string, end: boolean): Reader<number> =>
  (text, wrong) => {
    try {
      return parseDay(text, path, end);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      wrong(error.fields?.[0]?.message ?? error.message);
      return 0;
    }
  };

export const CONFIRMATION_WORDS = [...CONFIRMATIONS, ...SERVICES, "card", "any"] as const;

const CONFIRMATION: FilterRule<ConfirmationWord> = {
  read: (text) => CONFIRMATION_WORDS.find((word) => word.toLowerCase() === text.toLowerCase()),
  what: `a confirmation; use ${CONFIRMATION_WORDS.join(", ")}`,
};

const HOUR: FilterRule<number> = {
  read: (text) => (/^([01]?\d|2[0-3])$/.test(text) ? Number(text) : undefined),
  what: "an hour of the day; use 0 to 23",
};

const SERVICE: FilterRule<Service> = {
  read: (text) => SERVICES.find((service) => service === text.toLowerCase()),
  what: `a service; use ${SERVICES.join(" or ")}`,
};

const NUMBER: FilterRule<number> = {
  read: (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
  what: "a QSO number",
};

/** A search reads every contact, and its time grows with the length of the text. */
const MAX_SEARCH_LENGTH = 100;

const readSearch: Reader<string> = (text, wrong) => {
  if (text.length > MAX_SEARCH_LENGTH) wrong(`The search text is longer than ${MAX_SEARCH_LENGTH} characters.`);
  return text.toWellFormed();
};

const READERS = {
  ...Object.fromEntries(
    listFieldsWith("filter").map((field) => {
      const { name, rule } = FIELDS[field].filter;
      return [name, listOf(oneOf(rule as FilterRule<unknown>))];
    }),
  ),
  from: readDay("from", false),
  to: readDay("to", true),
  hour: listOf(oneOf(HOUR)),
  confirmation: listOf(oneOf(CONFIRMATION)),
  at: listOf(oneOf(SERVICE)),
  notAt: listOf(oneOf(SERVICE)),
  q: readSearch,
  id: listOf(oneOf(NUMBER)),
} as Record<keyof QsoFilter, Reader<unknown>>;

export const FILTER_PARAMETERS = [...Object.keys(READERS), "search"] as FilterParameter[];

const readSort = (text: string, wrong: Wrong): QsoSort => {
  const descending = text.startsWith("-");
  const key = SORT_KEYS.find((name) => name === (descending ? text.slice(1) : text));
  if (!key) wrong(`You cannot sort by ${JSON.stringify(text)}; use ${SORT_KEYS.join(", ")}, with - for descending.`);
  return { key: key ?? "startedAt", descending };
};

const readLimit = (text: string, wrong: Wrong): number => {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) wrong(`limit must be a whole number from 1 to ${MAX_LIMIT}.`);
  return limit;
};
