import { SAT } from "../src/domain/awards/award.ts";
import { RESOLUTION_WORDS, type JobView } from "../src/domain/jobs/sync-job.ts";
import { AppError } from "../src/kernel/errors.ts";
import { formatNumber } from "../src/kernel/number-text.ts";
import { getContact } from "../src/domain/jobs/job-words.ts";
import { isService, SERVICES, type Service } from "../src/domain/jobs/source.ts";
import type { ChangeView, LeftoverView } from "../src/logbook/contract.ts";
import { getTypedLabel, readSource } from "../src/domain/origins/labels.ts";
import { groupRollbackContacts } from "../src/domain/jobs/rollback-words.ts";
import { joinWords } from "../src/kernel/text.ts";
import { formatUtc } from "../src/kernel/time-text.ts";
import type { RollbackPreview } from "../src/sync/undo/rollback.ts";
import { formatCell, formatTableRows } from "./table.ts";

export const SERVICE_WORDS = SERVICES.map(getTypedLabel);

/** Names of the services for the help. */
export const BOTH_WORDS = SERVICES.map((service) => `${getTypedLabel(service)} or ${service}`).join(", ");

const findService = (text: string): Service | null => {
  const source = readSource(text);
  return source !== null && isService(source) ? source : null;
};

/** Parses a service name. `others` are further values to list in the error. */
export const parseService = (text: string, others: readonly string[] = []): Service => {
  const service = findService(text);
  if (service !== null) return service;
  const known = [...SERVICE_WORDS, ...others];
  throw new AppError("invalid", `There is no service ${JSON.stringify(text)}. Use ${joinWords(known, "or")}.`);
};

/** Replaces a service's label by the word of the contract: `first`, or `firstOnly` for the label with `-only`. */
export const toContractWord = (text: string): string =>
  text
    .split(",")
    .map((part) => {
      const [, name = "", only = ""] = part.trim().match(/^(.*?)(-?only)?$/i) ?? [];
      const owner = findService(name) ?? (only && name.toLowerCase() === "card" ? "card" : null);
      return owner === null ? part : owner + (only && "Only");
    })
    .join(",");

/** 20m as 20: metres are implied. */
export const shortenBand = (band: string): string => (band === SAT ? "SAT" : band.replace(/(?<=\d)m$/, ""));

/** Why the record was not matched, and the contacts that it could mean. */
export const describeLeftReason = ({
  reason,
  candidates,
  resolution,
}: Pick<LeftoverView, "reason" | "candidates" | "resolution">): string => {
  const known = candidates.filter((id) => id > 0);
  const why = known.length === 0 ? reason : `${reason}; QSO ${known.join(", ")}`;
  return resolution === null || resolution === "dry_run" ? why : `${why} (${RESOLUTION_WORDS[resolution]})`;
};

/** The contacts of a preview, grouped by what happens to them, limited in number. */
export const formatRollbackContacts = (preview: RollbackPreview, most: number): string[] =>
  groupRollbackContacts(preview).flatMap(({ title, total, contacts }) => {
    const named = contacts.slice(0, most);
    return [
      `${title}: ${formatNumber(total)}`,
      ...formatTableRows(
        ["", "", "", ""],
        named.map(({ call, startedAt, band, mode }) => [`  ${call}`, formatUtc(startedAt), band, mode]),
        Infinity,
      ).slice(1),
      ...(total > named.length ? [`  … and ${formatNumber(total - named.length)} more`] : []),
    ];
  });

/** The contact of a change, in columns. */
export const formatChangedContact = (change: ChangeView): string => {
  const { call, startedAt, band, mode, submode } = getContact(change);
  return `${formatCell(call, 12)} ${formatUtc(startedAt)}  ${formatCell(band, 5)} ${formatCell(submode ?? mode, 6)}`;
};

/** Why a job cannot be undone; empty for a completed sync, because nobody expects to undo it. */
export const explainNoUndo = ({ status, source, dryRun, actions }: JobView): string =>
  status === "completed" && isService(source) && !dryRun ? "" : (actions.undoReason ?? "");
