import { formatNumber, formatShare } from "../src/kernel/number-text.ts";
import { getEntityName } from "../src/domain/radio/entity.ts";
import type { CountsFigure, FigureName, Figures } from "../src/domain/statistics/log-figures.ts";
import { LABELS } from "../src/domain/origins/labels.ts";
import { createRankSteps } from "../src/domain/statistics/rank-steps.ts";
import { formatTable, right, shrinking } from "./table.ts";

/** Nothing, and five steps by rank. */
const SHADES = " ·░▒▓█";
const STEPS = "▁▂▃▄▅▆▇█";

/** One character per column; if they do not fit, several columns share one. */
const drawHeat = ({ columns, rows }: CountsFigure, width: number, isPlain: boolean): string => {
  if (rows.length === 0) return "No QSOs.";
  if (isPlain) return listCounts({ columns, rows });
  const cells = rows.flatMap(({ counts }) => counts);
  const { stepOf, legend } = createRankSteps(cells);
  const name = Math.max(...rows.map((row) => row.name.length));
  const wide = Number.isFinite(width) && columns.length * 3 + name + 12 > width ? 1 : 3;
  const lines = rows.map(({ name: row, counts }) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    return `${row.padStart(name)} ${counts.map((count) => SHADES[stepOf(count)]!.repeat(wide)).join("")} ${formatNumber(total)}`;
  });
  const foot = `${" ".repeat(name)} ${columns[0]} to ${columns.at(-1)}; the busiest has ${formatNumber(Math.max(...cells))}`;
  const steps = legend.map(
    ({ step, from, to }) =>
      `${SHADES[step]} ${formatNumber(from)}${to === null ? "+" : to > from ? `–${formatNumber(to)}` : ""}`,
  );
  return [...lines, foot, `${" ".repeat(name)} ${steps.join("  ")}`].join("\n");
};

/** The same in numbers, without empty columns. */
const listCounts = ({ columns, rows }: CountsFigure): string =>
  rows
    .flatMap(({ name, counts }) => [
      `${name}: ${formatNumber(counts.reduce((sum, count) => sum + count, 0))}`,
      ...counts.flatMap((count, at) => (count === 0 ? [] : [`  ${columns[at]}: ${formatNumber(count)}`])),
    ])
    .join("\n");

const drawSparkline = (counts: readonly number[], width: number): string => {
  const most = Math.max(1, ...counts);
  const shown = Math.min(counts.length, width);
  return Array.from({ length: shown }, (_, at) => {
    const count = counts[Math.floor(((at + 1) * counts.length) / shown) - 1]!;
    return STEPS[Math.min(STEPS.length - 1, Math.floor((count / most) * STEPS.length))];
  }).join("");
};

const BAR = 30;
const drawBar = (part: number): string => "█".repeat(Math.max(0, Math.round(part * BAR)));

const DRAWN: { [Name in FigureName]: (figure: Figures[Name], width: number, isPlain: boolean) => string } = {
  calendar: drawHeat,
  hours: drawHeat,
  bands: drawHeat,
  modes: drawHeat,
  curve: ({ months, lines }, width) =>
    lines.length === 0
      ? "No QSOs."
      : [
          `${months[0]} to ${months.at(-1)}`,
          ...lines.flatMap(({ name, worked, confirmed }) =>
            (
              [
                ["worked", worked],
                ["confirmed", confirmed],
              ] as const
            ).map(
              ([what, counts]) =>
                `${name.padEnd(9)} ${what.padEnd(9)} ${formatNumber(counts.at(-1)!).padStart(6)} ${drawSparkline(counts, Math.min(60, width - 30))}`,
            ),
          ),
        ].join("\n"),
  confirmations: ({ rows }, width) =>
    formatTable(
      [
        shrinking("OF"),
        right("QSOS"),
        right(LABELS.first.toUpperCase()),
        right("DAYS"),
        right(LABELS.second.toUpperCase()),
        right("DAYS"),
        right("CARD"),
      ],
      rows.map((row) => [
        row.name,
        formatNumber(row.total),
        formatShare(row.first, row.total),
        row.firstDays === null ? "–" : formatNumber(row.firstDays),
        formatShare(row.second, row.total),
        row.secondDays === null ? "–" : formatNumber(row.secondDays),
        formatShare(row.card, row.total),
      ]),
      width,
    ),
  furthest: ({ rows }, width) =>
    rows.length === 0
      ? "No QSO has both grid squares."
      : formatTable(
          ["BAND", right("KM"), "CALL", "GRID", shrinking("")],
          rows.map(({ band, km, call, gridsquare }) => [
            band,
            formatNumber(km),
            call,
            gridsquare,
            drawBar(km / HALF_ROUND_KM),
          ]),
          width,
        ),
  map: ({ home, entities }, width) =>
    formatTable(
      [shrinking("ENTITY"), right("QSOS"), right("CONFIRMED"), ""],
      entities
        .toSorted((a, b) => b.total - a.total)
        .map(({ dxcc, total, confirmed }) => [
          getEntityName(dxcc),
          formatNumber(total),
          formatNumber(confirmed),
          drawBar(total / Math.max(...entities.map((one) => one.total))),
        ]),
      width,
    ) + (home === null ? "" : `\nfrom ${home.grid}`),
};

const HALF_ROUND_KM = 20_015;

/** Draws a figure for a terminal with bars, sparklines and shades. */
export const drawFigure = <Name extends FigureName>(
  name: Name,
  figure: Figures[Name],
  width: number,
  isPlain = false,
): string => DRAWN[name](figure, width, isPlain);
