import type { Command } from "commander";
import type { CountryFile } from "../../src/callsign/country-file.ts";
import { formatPlural } from "../../src/kernel/number-text.ts";
import { formatIsoDate } from "../../src/kernel/instant.ts";
import { runSteps } from "../interruptible.ts";
import { ProgressBar } from "../progress.ts";
import type { Flags, Shell } from "../shell.ts";

export const register = (program: Command, shell: Shell): void => {
  const country = program
    .command("country")
    .description("show or replace the country file, which maps callsigns to entities");
  shell
    .command(country, "show", "show which country file is in use", {
      isDefault: true,
      examples: ["qsolog country show"],
    })
    .action((flags: Flags) => show(shell, flags));
  shell
    .command(country, "update <file>", "install a newer cty.csv and recompute every QSO with it", {
      examples: ["qsolog country update cty.csv"],
    })
    .action((file: string, flags: Flags) => update(shell, file, flags));
};

const show = async (shell: Shell, flags: Flags): Promise<void> => {
  const { dataDir } = shell.readConfig(flags).config;
  const { existsSync } = await import("node:fs");
  const { getCountryFilePath } = await import("../../src/callsign/country-file-place.ts");
  const { loadCountryFileIn } = await import("../../src/callsign/facts.ts");
  const path = getCountryFilePath(dataDir);
  const country = toView(await loadCountryFileIn(dataDir), existsSync(path) ? path : null);
  shell.answer({ country }, () => describeCountryFile(country));
};

const update = (shell: Shell, file: string, flags: Flags): Promise<void> =>
  shell.withWorld(flags, { writes: true }, async (world) => {
    const { parseCty, readCty } = await import("../../src/callsign/country-file.ts");
    const { getCountryFilePath } = await import("../../src/callsign/country-file-place.ts");
    const { createCallFacts } = await import("../../src/callsign/facts.ts");
    const { replaceCountryFile } = await import("../../src/callsign/country-tables.ts");
    const { deriveAgain } = await import("../../src/contacts/derive-again.ts");
    const text = await readCty(file);
    const countries = await parseCty(text);
    const path = getCountryFilePath(world.config.dataDir);
    await replaceCountryFile({ db: world.db, dataDir: world.config.dataDir }, text);
    const country = toView(countries, path);
    const bar = new ProgressBar(shell.terminal);
    const { isWhole, ...qsos } = await runSteps(shell, { checked: 0, changed: 0 }, (signal, tell) =>
      deriveAgain(world, createCallFacts(countries), {
        signal,
        onProgress: (soFar) => {
          tell(soFar);
          const { checked, changed } = soFar;
          bar.show(`${checked} ${formatPlural(checked, "QSO")} checked, ${changed} changed`, null);
        },
      }).finally(() => bar.clear()),
    );
    const { checked, changed } = qsos;
    const counted = `${checked} ${formatPlural(checked, "QSO")} checked, ${changed} changed.`;
    shell.answer(
      { country, qsos },
      () =>
        `${describeCountryFile(country)}\n${isWhole ? counted : `Interrupted: ${counted} The file is installed. To finish: qsolog db derive`}`,
    );
  });

interface CountryView {
  version: string;
  releasedAt: number;
  entities: number;
  calls: number;
  prefixes: number;
  /** Null for the file that comes with the program. */
  file: string | null;
}

const toView = ({ version, releasedAt, entities, calls, prefixes }: CountryFile, file: string | null): CountryView => ({
  version,
  releasedAt,
  entities,
  calls,
  prefixes,
  file,
});

const describeCountryFile = ({ releasedAt, entities, calls, prefixes, file }: CountryView): string =>
  `Country file dated ${formatIsoDate(releasedAt)}${file === null ? ", built into the program" : ` in ${file}`}: ` +
  `${entities} entities, ${prefixes} prefixes, ${calls} calls.`;
