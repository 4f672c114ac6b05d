import { HOUR, hourOf, HOURS_A_DAY } from "./clock.ts";
import type { CodedTexts } from "./coded-texts.ts";
import type { PackedCodes, PackedColumn, Scratch, Shared } from "./packed-codes.ts";
import type { PackedNumbers } from "./packed-numbers.ts";
import { ONLY_SO } from "./field-texts.ts";
import { isLetter } from "./held-letters.ts";
import { CONFIRMED_COLUMN, confirmationOf } from "./qso.ts";
import type { ConfirmationWord, QsoFilter } from "./qso-filter.ts";
import { byService } from "./source.ts";
import {
  foldCase,
  SAID,
  SEARCHED,
  type ColumnName,
  type ModeWords,
  type SearchedName,
  type YearColumns,
} from "./year-contacts.ts";

/** What filters ask of columns of few values; days are a stretch of rows, and what number a contact has is found elsewhere. */
type Asked = Exclude<keyof QsoFilter, "from" | "to" | "hour" | "q" | "id">;

interface Question<Wanted> {
  column: ColumnName;
  fits: (wanted: Wanted, value: never) => boolean;
}

const isOneOf = (wanted: readonly unknown[], value: unknown): boolean => wanted.includes(value);

const AT = byService((service) => (service === "first" ? SAID.atFirst : SAID.atSecond));

const saysSo = (word: ConfirmationWord, said: number): boolean => {
  const confirmed = {
    [CONFIRMED_COLUMN.first]: (said & SAID.first) !== 0,
    [CONFIRMED_COLUMN.second]: (said & SAID.second) !== 0,
    cardConfirmed: (said & SAID.card) !== 0,
  } as Parameters<typeof confirmationOf>[0];
  if (word === "any") return confirmationOf(confirmed) !== "none";
  if (word === "first" || word === "second" || word === "card") return (said & SAID[word]) !== 0;
  return confirmationOf(confirmed) === word;
};

/** A square of four characters holds those of six. */
const isInSquare = (wanted: readonly (string | null)[], square: string | null): boolean =>
  wanted.includes(square) ||
  (square !== null && square.length > 4 && wanted.some((one) => one?.length === 4 && square.startsWith(one)));

const QUESTIONS: { [Name in Exclude<Asked, "call">]: Question<NonNullable<QsoFilter[Name]>> } = {
  band: { column: "band", fits: isOneOf },
  mode: {
    column: "mode",
    fits: (wanted, [mode, submode]: ModeWords) =>
      isOneOf(wanted, mode) || isOneOf(wanted, submode) || isOneOf(wanted, `${ONLY_SO}${submode ?? mode}`),
  },
  group: { column: "mode", fits: (wanted, [, , group]: ModeWords) => isOneOf(wanted, group) },
  station: { column: "station", fits: isOneOf },
  dxcc: { column: "dxcc", fits: isOneOf },
  state: { column: "state", fits: isOneOf },
  contest: { column: "contest", fits: isOneOf },
  ownDxcc: { column: "ownDxcc", fits: isOneOf },
  ownGrid: { column: "ownGrid", fits: isInSquare },
  confirmation: { column: "said", fits: (wanted, said: number) => wanted.some((word) => saysSo(word, said)) },
  at: { column: "said", fits: (wanted, said: number) => wanted.some((service) => (said & AT[service]) !== 0) },
  notAt: { column: "said", fits: (wanted, said: number) => wanted.every((service) => (said & AT[service]) === 0) },
};

const asked = (filter: QsoFilter): Exclude<Asked, "call">[] =>
  (Object.keys(QUESTIONS) as Exclude<Asked, "call">[]).filter((name) => filter[name] !== undefined);

const columnsSearched = (text: string): ColumnName[] =>
  hintFor(text) === "letters" ? ["letters"] : ["grams", ...SEARCHED];

/** The columns that a filter asks about. */
export const columnsAsked = (filter: QsoFilter): ColumnName[] => [
  ...asked(filter).map((name) => QUESTIONS[name].column),
  ...(filter.q === undefined ? [] : columnsSearched(filter.q)),
  ...(filter.call ? ["call" as const] : []),
  ...(filter.hour ? ["startedAt" as const] : []),
];

/** Leaves 1 where a contact fits what a filter asks of the columns. */
export const sieve = (fits: Uint8Array, filter: QsoFilter, columns: Partial<YearColumns>, scratch: Scratch): void => {
  for (const name of asked(filter)) {
    const { column, fits: isMeant } = QUESTIONS[name] as Question<unknown>;
    const { values, codes } = columns[column] as PackedColumn<Shared>;
    const meant = Uint8Array.from(values, (value) => Number(isMeant(filter[name], value as never)));
    keepMeant(fits, codes, meant, scratch);
  }
  const { call, hour, q } = filter;
  if (call) keepMeant(fits, columns.call!.codes, callsMeant(call, columns.call!), scratch);
  if (hour) keepHours(fits, columns.startedAt!, hour);
  if (q !== undefined) keepHolding(fits, columns, q, scratch);
};

/** What tells which columns of texts must be read to look for a text. */
export const hintFor = (text: string): "letters" | "grams" => (isLetter(foldCase(text)) ? "letters" : "grams");

/** The columns of texts that may hold a text. Who holds a letter is known without them. */
export const textsToSearch = ({ grams }: Partial<YearColumns>, text: string): SearchedName[] => {
  const folded = foldCase(text);
  return isLetter(folded) ? [] : SEARCHED.filter((name) => grams!.mayHold(name, folded));
};

/** Those that hold a text in any of several columns: all but those that lack it in each. */
export const keepHolding = (fits: Uint8Array, columns: Partial<YearColumns>, text: string, scratch: Scratch): void => {
  const folded = foldCase(text);
  if (isLetter(folded)) return columns.letters!.keep(fits, folded);
  const lacking = fits.slice();
  for (const name of textsToSearch(columns, folded)) {
    const texts = columns[name]!;
    const meant = new Uint8Array(texts.size);
    texts.markLike(["", name === "call" ? capitals(folded) : folded, ""], meant);
    for (let code = 0; code < meant.length; code++) meant[code]! ^= 1;
    keepMeant(lacking, texts.codes, meant, scratch);
  }
  for (let row = 0; row < fits.length; row++) fits[row]! ^= lacking[row]!;
};

/** The letters that folding makes small. */
const capitals = (folded: string): string => folded.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** Contacts follow in order of time: from where hours end to where the next begin nobody is looked at. */
const keepHours = (fits: Uint8Array, startedAt: PackedNumbers, hours: readonly number[]): void => {
  const ahead = aheadOf(hours);
  for (let row = 0; row < fits.length;) {
    const at = startedAt.at(row);
    const left = ahead[hourOf(at)]!;
    const end = startedAt.rising(row, (Math.floor(at / HOUR) + Math.max(left, 1)) * HOUR);
    if (left > 0) fits.fill(0, row, end);
    row = end;
  }
};

/** From each hour of the day, how many it is to the next of those. */
const aheadOf = (hours: readonly number[]): number[] =>
  Array.from({ length: HOURS_A_DAY }, (_, hour) =>
    Math.min(...hours.map((one) => (one - hour + HOURS_A_DAY) % HOURS_A_DAY)),
  );

const keepMeant = (fits: Uint8Array, codes: PackedCodes, meant: Uint8Array, scratch: Scratch): void => {
  if (!meant.includes(0)) return;
  if (!meant.includes(1)) return void fits.fill(0);
  codes.keep(fits, meant, scratch);
};

/** Of the calls of a column 1 for those that are wanted; a star stands for any letters. */
const callsMeant = (wanted: readonly string[], calls: CodedTexts): Uint8Array => {
  const meant = new Uint8Array(calls.size);
  for (const pattern of wanted) {
    if (pattern.includes("*")) calls.markLike(pattern.split("*"), meant);
    else calls.mark(pattern, meant);
  }
  return meant;
};
