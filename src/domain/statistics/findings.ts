import { LABELS } from "../origins/labels.ts";
import { DAY } from "../../kernel/clock.ts";
import { formatCount, formatNumber, formatShare } from "../../kernel/number-text.ts";
import { SERVICES } from "../jobs/source.ts";
import {
  FIGURE_TITLES,
  FULL_WEEKS_A_YEAR,
  type ConfirmationRow,
  type CountsFigure,
  type CurveFigure,
  type FigureName,
  type Figures,
} from "./log-figures.ts";

/** What each figure shows in one sentence: the title of its chart. */
export const describeFindings = (figures: Figures): Record<FigureName | "shares", string> => {
  const { calendar, hours, bands, modes, curve, confirmations, furthest, map, shares } = figures;
  return {
    calendar: describeWeeks(calendar) ?? FIGURE_TITLES.calendar,
    hours: describeHours(hours) ?? FIGURE_TITLES.hours,
    shares: describeBiggest("band", listShares(shares)) ?? FIGURE_TITLES.shares,
    bands: describeBusiestYear(listYears(bands)) ?? FIGURE_TITLES.bands,
    modes: describeBiggest("mode", listRows(modes)) ?? FIGURE_TITLES.modes,
    curve: describeGrowth(curve) ?? FIGURE_TITLES.curve,
    confirmations: describeDelays(confirmations.rows) ?? FIGURE_TITLES.confirmations,
    furthest: describeFurthest(furthest.rows) ?? FIGURE_TITLES.furthest,
    map: map.home
      ? `${formatCount(map.entities.length, "entity", "entities")} reached from ${map.home.grid}`
      : FIGURE_TITLES.map,
  };
};

type Sum = readonly [name: string, total: number];

const sumOf = ({ counts }: { counts: readonly number[] }): number => counts.reduce((sum, count) => sum + count, 0);

const listShares = (shares: Figures["shares"]): Sum[] => shares.map(({ band, total }) => [band, total]);

const listRows = ({ rows }: CountsFigure): Sum[] => rows.map((row) => [row.name, sumOf(row)]);

const findMost = <Item>(items: readonly Item[], measure: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (most, item) => (most === undefined || measure(item) > measure(most) ? item : most),
    undefined,
  );

/** The first day of a week; weeks start on 1 January. */
const getFirstDay = (year: number, week: number): number => Date.UTC(year, 0, 1 + week * 7);

/** The weeks up to the last one with contacts, newest first. The last day or two of a year are no full week. */
const listWeeks = ({ rows }: CountsFigure) => {
  const weeks = rows.flatMap(({ name, counts }) =>
    counts
      .slice(0, FULL_WEEKS_A_YEAR)
      .map((count, week) => ({ count, year: Number(name), week }))
      .toReversed(),
  );
  return weeks.slice(weeks.findIndex(({ count }) => count > 0));
};

const describeWeeks = (calendar: CountsFigure): string | null => {
  const weeks = listWeeks(calendar);
  const gap = weeks.findIndex(({ count, year }, at) => count === 0 || year < (weeks[at - 1]?.year ?? year) - 1);
  const streak = weeks.slice(0, gap === -1 ? undefined : gap);
  const first = streak.at(-1);
  if (!first) return null;
  const since = new Date(getFirstDay(first.year, first.week));
  if (streak.length >= FULL_WEEKS_A_YEAR)
    return `On the air every week since ${MONTHS[since.getUTCMonth()]} ${since.getUTCFullYear()}`;
  const busiest = findMost(weeks, ({ count }) => count)!;
  const day = new Date(getFirstDay(busiest.year, busiest.week)).toISOString().slice(0, 10);
  return `The busiest week began on ${day}: ${formatCount(busiest.count, "QSO")}`;
};

/** Intl would take 7 ms to load for them. */
const MONTHS = "January February March April May June July August September October November December".split(" ");

const describeHours = ({ columns, rows }: CountsFigure): string | null => {
  const band = findMost(rows, sumOf);
  if (!band) return null;
  const best = columns[band.counts.indexOf(Math.max(...band.counts))]!;
  const around = band.counts.every((count) => count > 0) ? "works around the clock, best at" : "is best at";
  return `${band.name} ${around} ${best} UTC`;
};

export const describeBiggest = (what: string, sums: readonly Sum[]): string | null => {
  const most = findMost(sums, ([, total]) => total);
  const whole = sums.reduce((sum, [, total]) => sum + total, 0);
  return most && most[1] > 0 ? `${most[0]} is your ${what}: ${describeShare(most[1], whole)}` : null;
};

const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** A share that one can picture: "one QSO in four". */
const describeShare = (part: number, whole: number): string => {
  const share = part / whole;
  if (share > 0.85) return share === 1 ? "every QSO" : "nearly every QSO";
  if (share > 0.58) return share < 0.71 ? "two QSOs in three" : "three QSOs in four";
  const times = Math.round(whole / part);
  if (times <= 2) return "every other QSO";
  return times < NUMBERS.length ? `one QSO in ${NUMBERS[times]}` : `${formatShare(part, whole)} of your QSOs`;
};

const listYears = ({ columns, rows }: CountsFigure): Sum[] =>
  columns.map((year, at) => [year, rows.reduce((sum, { counts }) => sum + counts[at]!, 0)]);

export const describeBusiestYear = (sums: readonly Sum[]): string | null => {
  const most = findMost(sums, ([, total]) => total);
  return most && most[1] > 0 ? `${most[0]} is your busiest year: ${formatCount(most[1], "QSO")}` : null;
};

const GROWTH_YEARS = 5;

const describeGrowth = ({ lines }: CurveFigure): string | null => {
  const line = lines[0];
  if (!line) return null;
  const [worked, confirmed] = [line.worked.at(-1)!, line.confirmed.at(-1)!];
  const before = line.worked.at(-1 - 12 * GROWTH_YEARS);
  const yearly = before === undefined ? 0 : Math.round((worked - before) / GROWTH_YEARS);
  const growth = yearly === 0 ? "" : `, ${NUMBERS[yearly] ?? yearly} new a year`;
  return `${describeLine(line.name, worked, confirmed)}${growth}`;
};

export const describeLine = (name: string, worked: number, confirmed: number): string =>
  `${formatNumber(worked)} ${name} worked, ${formatNumber(confirmed)} confirmed`;

const describeDelays = ([all]: readonly ConfirmationRow[]): string | null => {
  const parts = SERVICES.flatMap((service) => {
    const days = all?.[`${service}Days`] ?? null;
    return days === null ? [] : [[LABELS[service], days] as const];
  });
  if (parts.length === 0) return null;
  return parts
    .map(([label, days], at) =>
      at === 0 ? `${label} confirms in ${formatCount(days, "day")}` : `${label} in ${formatNumber(days)}`,
    )
    .join(", ");
};

const describeFurthest = (rows: Figures["furthest"]["rows"]): string | null => {
  const most = findMost(rows, ({ km }) => km);
  return most ? `Longest contact: ${formatNumber(most.km)} km to ${most.call} on ${most.band}` : null;
};

/** The seven days of a week, as a search takes them. */
export const formatWeek = (year: number, week: number): string => {
  const first = getFirstDay(year, week);
  const last = Math.min(first + 6 * DAY, Date.UTC(year, 11, 31));
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `${day(first)}..${day(last)}`;
};
