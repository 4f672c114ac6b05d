import type { Command } from "commander";
import { formatNumber } from "../../src/kernel/number-text.ts";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import type { Flags, Shell } from "../shell.ts";
import { deriveWithProgress } from "./db-derive.ts";

export const register = (program: Command, shell: Shell): void => {
  const country = program.command("country");
  shell
    .command(country, "show", "show which country file is in use", ["qsolog country show"], { isDefault: true })
    .action((flags: Flags) => show(shell, flags));
  shell
    .command(country, "update <file>", "install a newer cty.csv, or add Club Log's cty.xml, and recompute every QSO", [
      "qsolog country update cty.csv",
      "qsolog country update cty.xml.gz",
    ])
    .action((file: string, flags: Flags) => update(shell, file, flags));
};

const show = async (shell: Shell, flags: Flags): Promise<void> => {
  const { dataDir } = shell.readConfig(flags).config;
  const country = await readView(dataDir);
  shell.answer({ country }, () => describeCountryFile(country));
};

const update = async (shell: Shell, file: string, flags: Flags): Promise<void> => {
  const replacement = await readReplacement(file);
  await shell.withWorld(flags, { writes: true, creates: true }, async (world) => {
    const { replaceCountryFile } = await import("../../src/callsign/country-tables.ts");
    const { createCallFacts, loadCountryFileIn } = await import("../../src/callsign/facts.ts");
    const { dataDir } = world.config;
    await replaceCountryFile({ db: world.db, dataDir }, ...replacement);
    const countries = await loadCountryFileIn(dataDir);
    const country = await readView(dataDir);
    const { isWhole, qsos, words } = await deriveWithProgress(shell, world, createCallFacts(countries));
    const counted = isWhole ? words : `Interrupted: ${words} The file is installed. To finish: qsolog db derive`;
    shell.answer({ country, qsos }, () => `${describeCountryFile(country)}\n${counted}`);
  });
};

/** Reads a cty.csv or a cty.xml of Club Log. Throws if the file is invalid. */
const readReplacement = async (file: string): Promise<[text: string, kind?: "club_log"]> => {
  const { isClubLogFile, readClubLog } = await import("../../src/callsign/club-log.ts");
  const { parseCty, readCty } = await import("../../src/callsign/country-file.ts");
  if (await isClubLogFile(file)) return [await readClubLog(file), "club_log"];
  const text = await readCty(file);
  await parseCty(text);
  return [text];
};

interface CountryView {
  version: string;
  releasedAt: number;
  entities: number;
  calls: number;
  prefixes: number;
  /** Null for the file that comes with the program. */
  file: string | null;
  /** Calls that stood for an entity on certain days only. */
  datedCalls: number;
  /** Null unless Club Log's file was added. */
  clubLog: string | null;
}

const readView = async (dataDir: string): Promise<CountryView> => {
  const { existsSync } = await import("node:fs");
  const { getClubLogPath, getCountryFilePath } = await import("../../src/callsign/country-file-place.ts");
  const { loadCountryFileIn } = await import("../../src/callsign/facts.ts");
  const findFile = (path: string): string | null => (existsSync(path) ? path : null);
  const { version, releasedAt, entities, calls, prefixes, dated } = await loadCountryFileIn(dataDir);
  const file = findFile(getCountryFilePath(dataDir));
  const clubLog = findFile(getClubLogPath(dataDir));
  return { version, releasedAt, entities, calls, prefixes, file, datedCalls: dated.size, clubLog };
};

const describeCountryFile = (country: CountryView): string => {
  const { releasedAt, entities, calls, prefixes, file, datedCalls, clubLog } = country;
  return (
    `Country file dated ${formatIsoDate(releasedAt)}${file === null ? ", built into the program" : ` in ${file}`}: ` +
    `${formatNumber(entities)} entities, ${formatNumber(prefixes)} prefixes, ${formatNumber(calls)} calls, ` +
    `and ${formatNumber(datedCalls)} calls that are listed by date` +
    `${clubLog === null ? "" : `, with those of Club Log in ${clubLog}`}.`
  );
};
