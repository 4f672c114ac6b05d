import type { Command } from "commander";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import { parseStations } from "../../src/domain/contact/qso-filter.ts";
import type { Share, Statistics } from "../../src/domain/statistics/statistics.ts";
import {
  formatCount,
  formatNumber,
  computePercentages,
  formatPercent,
  formatShare,
} from "../../src/kernel/number-text.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { FIGURE_NAMES } from "../../src/domain/statistics/log-figures.ts";
import { drawFigure } from "../figures.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { describeLog, AS_OF } from "../log-options.ts";
import { parseWord } from "../parse.ts";
import { formatTable, right, shrinking } from "../table.ts";

type StatsFlags = Flags & { station?: string; asOf?: string; by?: string; search?: string };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "stats", null, [
      "qsolog stats",
      "qsolog stats --user bob --station YU1ABC",
      "qsolog stats --by hours --search '20m 2024'",
      "qsolog stats --as-of 2026-06-30",
    ])
    .option("--station <calls>", "only QSOs of this station callsign; several separated by commas")
    .option(...AS_OF)
    .option(`--by <${FIGURE_NAMES.join("|")}>`, "draw one figure")
    .option("--search <words>", "with --by: only these QSOs, as a search of qso list")
    .action((flags: StatsFlags) => (flags.by === undefined ? stats(shell, flags) : byFigure(shell, flags)));
};

/** One figure drawn with text. */
const byFigure = (shell: Shell, { by, station, search, asOf, ...flags }: StatsFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const name = parseWord("--by", by!, FIGURE_NAMES);
    const words = [search, station && `station:${station}`].filter(Boolean).join(" ");
    const figure = await log.figure(name, { asOf, ...(words !== "" && { search: words }) });
    shell.answer(figure, () =>
      describeLog(figure, station, () => drawFigure(name, figure as never, shell.terminal.width)),
    );
  });

const stats = async (shell: Shell, flags: StatsFlags): Promise<void> => {
  const { station, search, asOf } = flags;
  if (search !== undefined) throw new AppError("invalid", "Use --search together with --by.");
  const { statistics, title } = await withLog(shell, flags, { writes: false }, async (log) => {
    const [statistics, { user }] = await Promise.all([log.stats({ station, asOf }), log.account()]);
    const { username, callsign } = user;
    const heard = parseStations(station)?.filter((name) => !statistics.withoutContacts?.includes(name));
    const names = heard?.join(", ");
    return { statistics, title: [callsign, names && `as ${names}`, `(${username})`].filter(Boolean).join(" ") };
  });
  shell.answer(statistics, () =>
    describeLog(statistics, station, () => formatSummary(title, statistics, shell.terminal.width)),
  );
};

const formatSummary = (title: string, statistics: Statistics, width: number): string => {
  const { total, firstQsoAt, lastQsoAt } = statistics;
  if (total === 0) return `${title}\nNo QSOs.`;
  const parts = [
    `${title}\n${formatCount(total, "QSO")} from ${formatIsoDate(firstQsoAt!)} to ${formatIsoDate(lastQsoAt!)} (UTC)\n${formatVariety(statistics)}`,
    formatConfirmations(statistics, width),
    ...formatBreakdowns(statistics, width),
  ];
  return parts.join("\n\n");
};

const formatVariety = ({ callsigns, entities, unknownEntity, bands, modes }: Statistics): string => {
  const known = [
    formatCount(callsigns, "callsign"),
    formatCount(entities, "entity", "entities"),
    formatCount(bands, "band"),
    formatCount(modes, "mode"),
  ].join(", ");
  return unknownEntity === 0 ? known : `${known}; ${formatCount(unknownEntity, "QSO")} without an entity`;
};

const formatConfirmations = ({ confirmation }: Statistics, width: number): string => {
  const { any, first, second, card, both, firstOnly, secondOnly, cardOnly, none } = confirmation;
  const [ofAny = 0, ofNone = 0] = computePercentages([any, none]);
  const parts = [both, firstOnly, secondOnly, cardOnly];
  const [ofBoth = 0, ofFirst = 0, ofSecond = 0, ofCardOnly = 0] = computePercentages(parts, ofAny);
  const [ofCard = 0] = computePercentages([card, any + none - card]);
  const rows: [string, number, number][] = [
    ["by any source", any, ofAny],
    [`by ${LABELS.first}`, first, ofBoth + ofFirst],
    [`by ${LABELS.second}`, second, ofBoth + ofSecond],
    ["by card", card, Math.max(ofCard, ofCardOnly)],
    ["by both services", both, ofBoth],
    [`by ${LABELS.first} only`, firstOnly, ofFirst],
    [`by ${LABELS.second} only`, secondOnly, ofSecond],
    ["by card only", cardOnly, ofCardOnly],
    ["not confirmed", none, ofNone],
  ];
  return formatTable(
    [shrinking("CONFIRMED"), number("QSOS"), number("%")],
    rows.map(([name, contacts, share]) => [name, formatNumber(contacts), formatPercent(share)]),
    width,
  );
};

const formatBreakdowns = ({ byBand, byMode, byGroup, byYear }: Statistics, width: number): string[] => {
  const lists: [title: string, rows: [string, Share][]][] = [
    ["BAND", byBand.map((share) => [share.band, share])],
    ["MODE", byMode.map((share) => [share.mode, share])],
    ["GROUP", byGroup.map((share) => [share.group, share])],
    ["YEAR", byYear.map((share) => [String(share.year), share])],
  ];
  const longest = Math.max(
    ...lists.flatMap(([title, rows]) => [title, ...rows.map(([name]) => name)]).map(measureWidth),
  );
  return lists
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) =>
      formatTable(
        [shrinking(title.padEnd(longest)), number("QSOS"), number("CONFIRMED"), number("%")],
        rows.map(([name, { total, confirmed }]) => [
          name,
          formatNumber(total),
          formatNumber(confirmed),
          formatShare(confirmed, total),
        ]),
        width,
      ),
    );
};

const measureWidth = (text: string) => Bun.stringWidth(text);

const number = (title: string) => right(title.padStart(9));
