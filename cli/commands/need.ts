import type { Command } from "commander";
import { parseBand } from "../../src/domain/radio/band.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { describeNeed, type Need, type NeedRequest } from "../../src/domain/awards/need.ts";
import type { Logbook } from "../client/logbook.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";

type NeedFlags = Flags & { band?: string; mode?: string };

/** Lines per request if many lines are waiting. */
const AT_ONCE = 500;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "need <call>", "show which awards a callsign would help; - reads lines: CALL [BAND] [MODE]", [
      "qsolog need 3Y0J --band 17m --mode FT8",
      "tail -f decodes | qsolog need -",
    ])
    .option("--band <band>", "the band of the station")
    .option("--mode <mode>", "the mode of the station")
    .action((call: string, flags: NeedFlags) => (call === "-" ? askLines(shell, flags) : askOne(shell, call, flags)));
};

const askOne = (shell: Shell, call: string, { band, mode, ...flags }: NeedFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const found = await log.need({ call, band, mode });
    shell.answer(found, () => formatNeed(found));
  });

const formatNeed = (need: Need): string => {
  const { call, entity, continent, cqZone, distanceKm, bearing, worked } = need;
  const place = [
    entity?.name ?? "no entity",
    ...(continent === null ? [] : [continent]),
    ...(cqZone === null ? [] : [`zone ${cqZone}`]),
    ...(distanceKm === null ? [] : [`${formatNumber(distanceKm)} km at ${bearing}°`]),
  ];
  const before =
    worked.count === 0
      ? "never worked"
      : `worked ${formatCount(worked.count, "time")}, last ${formatUtc(worked.lastAt)} UTC${describeBefore(need)}`;
  return [`${call}: ${place.join(", ")}; ${before}`, ...describeNeed(need).map((line) => `  ${line}`)].join("\n");
};

const describeBefore = ({ band, mode, worked }: Need): string => {
  const here = [
    ...(band === null ? [] : [worked.onBand ? `on ${band}` : `not on ${band}`]),
    ...(mode === null ? [] : [worked.inMode ? `in ${mode}` : `not in ${mode}`]),
  ];
  return here.length === 0 ? "" : `, ${here.join(", ")}`;
};

const askLines = (shell: Shell, { band, mode, ...flags }: NeedFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const ask = async (lines: readonly string[]) => {
      for (let at = 0; at < lines.length; at += AT_ONCE) {
        const asked = lines.slice(at, at + AT_ONCE).map((line) => ({ band, mode, ...parseLine(line) }));
        const answers = await fetchAnswers(log, asked);
        await shell.terminal.pour(answers.map((answer) => `${shell.formatLine(answer)}\n`).join(""));
      }
    };
    let rest = "";
    const decoder = new TextDecoder();
    for await (const piece of Bun.stdin.stream() as unknown as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
      rest = lines.pop()!;
      await ask(lines.filter(isLine));
    }
    await ask([rest + decoder.decode()].filter(isLine));
  });

const isLine = (line: string): boolean => line.trim() !== "";

/** Reads a call, optionally followed by a band and a mode in any order. */
const parseLine = (line: string): NeedRequest => {
  const [call = "", ...words] = line.trim().split(/[\s,;]+/);
  const band = words.find((word) => parseBand(word) !== null);
  const mode = words.find((word) => word !== band);
  return { call, ...(band === undefined ? {} : { band }), ...(mode === undefined ? {} : { mode }) };
};

type Answer = Need | (NeedRequest & { error: string });

/** If one line is invalid, the others are still answered. */
const fetchAnswers = async (log: Logbook, asked: readonly NeedRequest[]): Promise<Answer[]> => {
  try {
    return (await log.needs({ asked })).answers;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    if (asked.length === 1) return [{ ...asked[0]!, error: error.message }];
    const half = Math.ceil(asked.length / 2);
    return [...(await fetchAnswers(log, asked.slice(0, half))), ...(await fetchAnswers(log, asked.slice(half)))];
  }
};
