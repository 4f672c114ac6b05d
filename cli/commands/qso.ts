import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { ExportParameters, ListParameters, PastParameters } from "../../src/logbook/contract.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { formatCount, formatNumber, formatSize } from "../../src/kernel/number-text.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { assertNew, findFormat, writeWhole } from "../export-file.ts";
import { addFilterOptions, readFilterFlags } from "../filters.ts";
import { withLog } from "../open-log.ts";
import { formatQsoDetails, formatQsoTable, formatWhy } from "../qso-words.ts";
import type { Flags, Shell } from "../shell.ts";
import { AS_OF, CURSOR, LIMIT, describeLog } from "../log-options.ts";
import { parseNumber } from "../parse.ts";
import { addTypedFlags, readTypedFlags } from "../typed-flags.ts";
import { SERVICE_WORDS } from "../words.ts";
import { registerImport } from "./import.ts";

type ListFlags = Flags & ListParameters;
type ShowFlags = Flags & PastParameters & { why?: boolean };
type ExportFlags = Flags & ExportParameters & PastParameters & { force?: boolean };

const A_QSO = "a QSO number";

export const register = (program: Command, shell: Shell): void => {
  const qso = program.command("qso");
  const command = (usage: string, description: string, ...examples: string[]) =>
    shell.command(qso, usage, description, examples);

  addFilterOptions(
    command(
      "list [search...]",
      `list QSOs, newest first; search with words such as 20m ft8 not:${SERVICE_WORDS[0]} dxcc:japan 2024 'k1*'`,
      "qsolog qso list 20m,40m unconfirmed 2024",
      "qsolog qso list dxcc:japan 'ja1*' --sort -call",
    ),
  )
    .option("--sort <key>", "startedAt, call, band, mode, dxcc or updatedAt; a leading - sorts descending")
    .option(...LIMIT)
    .option(...CURSOR)
    .option("--before <text>", "show the page before this cursor")
    .option(...AS_OF)
    .action((words: string[], flags: ListFlags) => list(shell, words, flags));
  command("show <id>", "show all details of a QSO", "qsolog qso show 1017", "qsolog qso show 1017 --why")
    .option("--why", "show where each value comes from")
    .option(...AS_OF)
    .action((id: string, flags: ShowFlags) => show(shell, parseNumber(id, A_QSO), flags));
  addTypedFlags(
    command(
      "add <call>",
      "add a QSO; without --time it starts now",
      'qsolog qso add K1ABC --band 20m --mode FT8 --time "2026-08-01 12:34"',
    ),
  ).action((call: string, flags: Flags) => add(shell, call, flags));
  addTypedFlags(
    command(
      "edit <id>",
      "edit a QSO; an empty value clears what you entered",
      "qsolog qso edit 1017 --name Ann --grid FN42",
      'qsolog qso edit 1017 --name ""',
    ),
  )
    .option("--call <call>", "the other station's callsign")
    .action((id: string, flags: Flags) => edit(shell, parseNumber(id, A_QSO), flags));
  command("delete <id>", "delete a QSO; syncs do not bring it back", "qsolog qso delete 1017")
    .option("--yes", "skip the confirmation")
    .action((id: string, flags: Flags) => remove(shell, parseNumber(id, A_QSO), flags));
  addFilterOptions(
    command(
      "export [file]",
      "export QSOs as ADIF or another format to a file; - writes to standard output",
      "qsolog qso export log.adi",
      "qsolog qso export - --band 6m | gzip > 6m.adi.gz",
      `qsolog qso export --not-at ${SERVICE_WORDS[0]} missing.adi`,
    ),
  )
    .option("--format <adi|adx|csv|jsonl|cabrillo>", "file format; default: from the file name")
    .option("--columns <names>", "columns for CSV and JSON lines: call,startedAt or ADIF names")
    .option(...AS_OF)
    .option("--force", "overwrite an existing file")
    .action((file: string | undefined, flags: ExportFlags) => exportLog(shell, file ?? "-", flags));
  registerImport(qso, shell);
};

const list = (shell: Shell, words: readonly string[], flags: ListFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { sort, limit, cursor, before, asOf } = flags;
    const search = [...words, flags.search].filter(Boolean).join(" ") || undefined;
    const page = await log.qsos({
      ...readFilterFlags(flags),
      search,
      sort,
      limit: limit && String(limit),
      cursor,
      before,
      asOf: asOf ?? undefined,
    });
    const { qsos, total } = page;
    const told = () => describeLog(page, flags.station, () => formatQsoTable(qsos, shell.terminal.width));
    shell.answerPage(page, told, `${qsos.length} of ${total}.`);
  });

const show = (shell: Shell, id: number, flags: ShowFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { asOf } = flags;
    if (flags.why && asOf) throw new AppError("invalid", "Use --why without --as-of.");
    if (flags.why) {
      const document = await log.why(id);
      return shell.answer(document, () => formatWhy(document));
    }
    const qso = await log.qso(id, asOf ? { asOf } : {});
    shell.answer(qso, () => formatQsoDetails(qso, Infinity));
  });

const add = (shell: Shell, call: string, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const qso = await log.addQso({ startedAt: shell.clock(), ...readTypedFlags(flags), call });
    shell.answer(qso, () => formatQsoTable([qso], shell.terminal.width));
  });

const edit = async (shell: Shell, id: number, flags: Flags & { call?: string }): Promise<void> => {
  const patch = { ...readTypedFlags(flags), ...(flags.call === undefined ? {} : { call: flags.call || null }) };
  if (Object.keys(patch).length === 0)
    throw new AppError("invalid", "Nothing to change. Give at least one field; see --help.");
  await withLog(shell, flags, { writes: true }, async (log) => {
    const qso = await log.editQso(id, patch);
    shell.answer(qso, () => formatQsoTable([qso], shell.terminal.width));
  });
};

const remove = (shell: Shell, id: number, flags: Flags): Promise<void> =>
  withLog(shell, flags, { writes: true }, async (log) => {
    const { call, startedAt } = await log.qso(id);
    const name = `the QSO with ${call} of ${formatUtc(startedAt)} UTC`;
    await shell.confirm(flags, `This deletes ${name}. Type the call to continue: `, call);
    await log.deleteQso(id);
    shell.answer({ deleted: id }, () => `Deleted ${name}.`);
  });

const exportLog = (shell: Shell, file: string, flags: ExportFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { format = findFormat(file), columns, asOf } = flags;
    const pieces = log.exportAdif({ ...readFilterFlags(flags), format, columns, ...(asOf && { asOf }) });
    if (file === "-") {
      const shown = shell.terminal.outIsTerminal ? stripControlCharacters : (piece: string) => piece;
      for await (const piece of pieces) {
        shell.progress.clear();
        await shell.terminal.pour(shown(piece));
      }
      return;
    }
    if (!flags.force) assertNew(file, "Use --force to overwrite it.");
    const hear = (bytes: number) => shell.isJson || shell.progress.show(`${file}: ${formatSize(bytes)} so far`, null);
    const bytes = await writeWhole(file, pieces, hear);
    const { total } = await log.qsos({ ...readFilterFlags(flags), limit: "1", ...(asOf && { asOf }) });
    shell.answer(
      { file, bytes, qsos: total },
      () => `${file}: ${formatCount(total, "QSO")}, ${formatNumber(bytes)} bytes.`,
    );
  });
