import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { formatNumber } from "../../src/kernel/number-text.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { describeLeftRecord } from "../../src/domain/jobs/job-words.ts";
import { formatExactMoment } from "../../src/kernel/time-text.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { describeClass, describeFindings, RECONCILE_CLASSES } from "../../src/domain/jobs/reconcile.ts";
import type { ReconcileDocument } from "../../src/logbook/contract.ts";
import type { Logbook } from "../client/logbook.ts";
import { withLog } from "../open-log.ts";
import { watchChange } from "../bulk-change.ts";
import type { Flags, Shell } from "../shell.ts";

type ShowFlags = Flags & { user?: string; class?: string; limit: string; cursor?: string };
type SettleFlags = Flags & { user?: string; qso?: string; new?: boolean; dismiss?: boolean };

export const register = (program: Command, shell: Shell): void => {
  const reconcile = program.command("reconcile");
  shell
    .command(reconcile, "show", "count QSOs by where they are recorded, or list one class", {
      isDefault: true,
      examples: [
        "qsolog reconcile show",
        "qsolog reconcile show --class differs",
        "qsolog reconcile show --class leftovers --json",
      ],
    })
    .option("--user <username>", "use this user's log")
    .option(`--class <${RECONCILE_CLASSES.join("|")}>`, "list the QSOs of this class")
    .option("--limit <n>", "show at most this many (up to 500)", "50")
    .option("--cursor <text>", "continue where the previous page ended")
    .action((flags: ShowFlags) => show(shell, flags));
  shell
    .command(reconcile, "settle <leftover>", "resolve a record; find its number with --class leftovers", {
      examples: ["qsolog reconcile settle 3 --qso 1017", "qsolog reconcile settle 4 --new"],
    })
    .option("--user <username>", "use this user's log")
    .option("--qso <id>", "it belongs to this QSO")
    .option("--new", "add it as a new QSO")
    .option("--dismiss", "dismiss it")
    .action((leftover: string, flags: SettleFlags) => settle(shell, leftover, flags));
};

const show = (shell: Shell, flags: ShowFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const page = await log.reconcile({ class: flags.class, limit: Number(flags.limit), cursor: flags.cursor });
    shell.answerPage(page, () => formatPage(page, flags.class).join("\n"), "More results follow.");
  });

const formatPage = (page: ReconcileDocument, name: string | undefined): string[] => {
  if (name !== undefined) return formatRows(page).map(stripControlCharacters);
  const figures = RECONCILE_CLASSES.map((one) => formatNumber(page.counts[one]));
  const width = Math.max(...figures.map(({ length }) => length));
  return RECONCILE_CLASSES.map((one, at) => {
    const { title, advice } = describeClass(one, LABELS);
    const list = one === "everywhere" ? "" : ` To list them: --class ${one}`;
    return `${figures[at]!.padStart(width)}  ${title}.${page.counts[one] > 0 ? ` ${advice}${list}` : ""}`;
  });
};

const formatRows = ({ contacts, deleted, leftovers }: ReconcileDocument): string[] => {
  const rows = [
    ...contacts.map((contact) => `${nameOf(contact)}${formatNotes(contact)}`),
    ...deleted.map(({ call, startedAt, band, at }) =>
      [call, formatExactMoment(startedAt), band ?? "-", at.map((service) => LABELS[service]).join("+")].join("  "),
    ),
    ...leftovers.flatMap(({ id, source, reason, record, candidates }) => [
      `${id}  ${LABELS[source]}  ${describeLeftRecord(record)}: ${reason}`,
      ...candidates.map((candidate) => `    ${nameOf(candidate)}`),
    ]),
  ];
  return rows.length > 0 ? rows : ["None."];
};

type Contact = ReconcileDocument["contacts"][number];

const nameOf = ({
  id,
  call,
  startedAt,
  band,
  mode,
  submode,
}: Omit<Contact, "at" | "differences" | "fileOnly" | "otherCall">) =>
  [id, call, formatExactMoment(startedAt), band ?? "-", submode ?? mode ?? "-"].join("  ");

const formatNotes = (contact: Contact): string =>
  describeFindings(contact, LABELS)
    .map((words) => `\n    ${words}`)
    .join("");

const settle = (shell: Shell, text: string, flags: SettleFlags): Promise<void> => {
  const id = parseNumber(text, "an unresolved record");
  const request: Parameters<Logbook["settle"]>[0][] = [
    ...(flags.qso === undefined
      ? []
      : [{ act: "match" as const, leftovers: [{ id, qsoId: parseNumber(flags.qso, "a QSO") }] }]),
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

const parseNumber = (text: string, what: string): number => {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new AppError("invalid", `${JSON.stringify(text)} is not the number of ${what}.`);
};
