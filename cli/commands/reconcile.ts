import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { formatNumber } from "../../src/kernel/number-text.ts";
import { describeLeftRecord } from "../../src/domain/jobs/job-words.ts";
import { formatExactMoment } from "../../src/kernel/time-text.ts";
import { LABELS, getTypedLabel } from "../../src/domain/origins/labels.ts";
import {
  describeClass,
  describeFindings,
  RECONCILE_CLASSES,
  type ReconcileClass,
} from "../../src/domain/jobs/reconcile.ts";
import type { ReconcileDocument } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { withLog } from "../open-log.ts";
import { watchChange } from "../bulk-change.ts";
import { CURSOR, LIMIT } from "../log-options.ts";
import { parseNumber } from "../parse.ts";
import type { Flags, Shell } from "../shell.ts";
import { formatTable, formatTableRows, right } from "../table.ts";

type ShowFlags = Flags & { class?: string; limit: number; cursor?: string };
type SettleFlags = Flags & { qso?: string; new?: boolean; dismiss?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const reconcile = program.command("reconcile");
  shell
    .command(
      reconcile,
      "show",
      "count QSOs by where they are recorded, or list one class",
      [
        "qsolog reconcile show",
        "qsolog reconcile show --class differs",
        "qsolog reconcile show --class unresolved --json",
      ],
      { isDefault: true },
    )
    .option(`--class <${Object.values(CLASS_WORDS).join("|")}>`, "list the QSOs of this class")
    .option(...LIMIT, 50)
    .option(...CURSOR)
    .action((flags: ShowFlags) => show(shell, flags));
  shell
    .command(reconcile, "settle <leftover>", "resolve a record; find its number with --class unresolved", [
      "qsolog reconcile settle 3 --qso 1017",
      "qsolog reconcile settle 4 --new",
    ])
    .option("--qso <id>", "it belongs to this QSO")
    .option("--new", "add it as a new QSO")
    .option("--dismiss", "dismiss it")
    .action((leftover: string, flags: SettleFlags) => settle(shell, leftover, flags));
};

const show = (shell: Shell, flags: ShowFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const page = await log.reconcile({
      class: flags.class && parseClass(flags.class),
      limit: flags.limit,
      cursor: flags.cursor,
    });
    shell.answerPage(
      page,
      () => formatPage(page, flags.class, shell.terminal.width).join("\n"),
      "More results follow.",
    );
  });

/** The classes as people type them. The words of the contract are accepted too. */
const CLASS_WORDS: Readonly<Record<ReconcileClass, string>> = {
  everywhere: "everywhere",
  notAtFirst: `not-at-${getTypedLabel("first")}`,
  notAtSecond: `not-at-${getTypedLabel("second")}`,
  differs: "differs",
  fileOnly: "file-only",
  otherCall: "other-call",
  deleted: "deleted",
  leftovers: "unresolved",
};

const parseClass = (text: string): ReconcileClass => {
  const typed = text.trim().toLowerCase();
  const found = RECONCILE_CLASSES.find((one) => [one.toLowerCase(), CLASS_WORDS[one]].includes(typed));
  if (found) return found;
  throw new AppError(
    "invalid",
    `${JSON.stringify(text)} is not valid for --class. Use ${Object.values(CLASS_WORDS).join(", ")}.`,
  );
};

const formatPage = (page: ReconcileDocument, name: string | undefined, width: number): string[] => {
  if (name !== undefined) return formatRows(page, width).map(stripControlCharacters);
  const figures = RECONCILE_CLASSES.map((one) => formatNumber(page.counts[one]));
  const digits = Math.max(...figures.map(({ length }) => length));
  return RECONCILE_CLASSES.map((one, at) => {
    const { title, advice } = describeClass(one);
    const list = one === "everywhere" ? "" : ` To list them: --class ${CLASS_WORDS[one]}`;
    return `${figures[at]!.padStart(digits)}  ${title}.${page.counts[one] > 0 ? ` ${advice}${list}` : ""}`;
  });
};

const formatRows = ({ contacts, deleted, leftovers }: ReconcileDocument, width: number): string[] => {
  const rows = [
    ...(contacts.length === 0 ? [] : [formatContacts(contacts, width)]),
    ...(deleted.length === 0 ? [] : [formatDeleted(deleted, width)]),
    ...leftovers.flatMap(({ id, source, reason, record, candidates }) => [
      `Record ${id} from ${LABELS[source]}: ${describeLeftRecord(record)}: ${reason}`,
      ...candidates.map((candidate) => `  QSO ${formatCells(candidate).filter(Boolean).join("  ")}`),
    ]),
  ];
  return rows.length > 0 ? rows : ["None."];
};

type Contact = ReconcileDocument["contacts"][number];
type Named = Pick<Contact, "id" | "call" | "startedAt" | "band" | "mode" | "submode">;

const COLUMNS = [right("ID"), "TIME (UTC)", "CALL", "BAND", "MODE"];

const formatCells = ({ id, call, startedAt, band, mode, submode }: Named): string[] => [
  String(id),
  formatExactMoment(startedAt).replace(/ UTC$/, ""),
  call,
  band ?? "",
  submode ?? mode ?? "",
];

/** A table with the differences of each contact below it. */
const formatContacts = (contacts: readonly Contact[], width: number): string => {
  const [titles, ...rows] = formatTableRows(COLUMNS, contacts.map(formatCells), width);
  return [
    titles!,
    ...rows.flatMap((row, at) => [row, ...describeFindings(contacts[at]!).map((words) => `    ${words}`)]),
  ].join("\n");
};

const formatDeleted = (deleted: ReconcileDocument["deleted"], width: number): string =>
  formatTable(
    ["TIME (UTC)", "CALL", "BAND", "STILL AT"],
    deleted.map(({ call, startedAt, band, at }) => [
      formatExactMoment(startedAt).replace(/ UTC$/, ""),
      call,
      band,
      at.map((service) => LABELS[service]).join(", "),
    ]),
    width,
  );

const settle = (shell: Shell, text: string, flags: SettleFlags): Promise<void> => {
  const id = parseNumber(text, "the number of an unresolved record");
  const request: Parameters<Logbook["settle"]>[0][] = [
    ...(flags.qso === undefined
      ? []
      : [{ act: "match" as const, leftovers: [{ id, qsoId: parseNumber(flags.qso, "a QSO number") }] }]),
    ...(flags.new ? [{ act: "new" as const, leftovers: [{ id }] }] : []),
    ...(flags.dismiss ? [{ act: "dismiss" as const, leftovers: [{ id }] }] : []),
  ];
  const [wanted] = request;
  if (wanted === undefined || request.length > 1)
    throw new AppError("invalid", "Use one of --qso, --new and --dismiss.");
  return withLog(shell, flags, { writes: true }, (log) =>
    watchChange(shell, log, { name: "Settle", start: () => log.settle(wanted) }),
  );
};
