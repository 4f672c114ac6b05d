import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { DUPLICATE_KINDS, DUPLICATE_WORDS, type DuplicateKind } from "../../src/domain/jobs/duplicates.ts";
import { formatCount, formatNumber } from "../../src/kernel/number-text.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { formatExactMoment } from "../../src/kernel/time-text.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import type { DuplicateContact, DuplicatesDocument } from "../../src/logbook/contract.ts";
import { toOption } from "../filters.ts";
import { withLog } from "../open-log.ts";
import { runBulkChange } from "../bulk-change.ts";
import { toMergeChange } from "../repair-request.ts";
import { CURSOR, LIMIT } from "../log-options.ts";
import { parseNumber } from "../parse.ts";
import type { Flags, Shell } from "../shell.ts";

type ListFlags = Flags & { kind?: string; limit: number; cursor?: string };
type MergeFlags = Flags & { kind?: string };

const KINDS = DUPLICATE_KINDS.map(toOption).join("|");

/** The words of the contract are accepted too. */
const parseKind = (text: string): DuplicateKind => {
  const kind = DUPLICATE_KINDS.find((one) => one === text || toOption(one) === text.trim().toLowerCase());
  if (kind) return kind;
  const known = DUPLICATE_KINDS.map(toOption).join(", ");
  throw new AppError("invalid", `${JSON.stringify(text)} is not valid for --kind. Use ${known}.`);
};

export const register = (program: Command, shell: Shell): void => {
  const duplicates = program.command("duplicates");
  shell
    .command(
      duplicates,
      "list",
      "list groups of duplicates and why they match",
      ["qsolog duplicates list", "qsolog duplicates list --kind seconds --json"],
      { isDefault: true },
    )
    .option(`--kind <${KINDS}>`, "only this kind")
    .option(...LIMIT, 50)
    .option(...CURSOR)
    .action((flags: ListFlags) => list(shell, flags));
  shell
    .command(duplicates, "merge [qso]", "merge the group of one QSO, or all groups of a kind", [
      "qsolog duplicates merge 1017",
      "qsolog duplicates merge --kind seconds --dry-run",
    ])
    .option(`--kind <${KINDS}>`, "merge all groups of this kind")
    .option("--dry-run", "show what would change, and change nothing")
    .option("--yes", "skip the confirmation")
    .action((qso: string | undefined, flags: MergeFlags) => merge(shell, qso, flags));
};

const list = (shell: Shell, flags: ListFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    const { kind, limit, cursor } = flags;
    const page = await log.duplicates({ kind: kind && parseKind(kind), limit, cursor });
    shell.answerPage(page, () => formatGroups(page).join("\n"), "More results follow.");
  });

const formatGroups = ({ groups, kinds, total }: DuplicatesDocument): string[] => {
  if (total === 0) return ["No duplicates found."];
  const counts = DUPLICATE_KINDS.filter((kind) => kinds[kind] > 0).map(
    (kind) => `  ${toOption(kind)}: ${formatNumber(kinds[kind])}, ${DUPLICATE_WORDS[kind]}`,
  );
  return [
    `${formatCount(total, "group")} of duplicates.`,
    ...counts,
    ...groups.flatMap(({ kind, why, contacts }) => ["", describeReason(kind, why), ...contacts.map(formatContact)]),
  ];
};

const describeReason = (kind: DuplicateKind, why: readonly DuplicateKind[]): string =>
  [kind, ...why.filter((one) => one !== kind)].map((one) => DUPLICATE_WORDS[one]).join("; ");

const formatContact = (contact: DuplicateContact): string => {
  const { id, call, startedAt, band, mode, submode, stationCallsign } = contact;
  const by = [
    ...(contact.firstConfirmed ? [LABELS.first] : []),
    ...(contact.secondConfirmed ? [LABELS.second] : []),
    ...(contact.cardConfirmed ? ["card"] : []),
  ];
  const parts = [
    call,
    formatExactMoment(startedAt),
    band ?? "-",
    submode ?? mode ?? "-",
    stationCallsign ?? "-",
    by.join("+"),
  ];
  return stripControlCharacters(`  ${String(id).padStart(7)}  ${parts.filter(Boolean).join("  ")}`);
};

const merge = (shell: Shell, qso: string | undefined, flags: MergeFlags): Promise<void> => {
  const kind = flags.kind && parseKind(flags.kind);
  const request = qso === undefined ? { kind } : { qsoId: parseNumber(qso, "a QSO number"), kind };
  return runBulkChange(shell, flags, toMergeChange(request));
};
