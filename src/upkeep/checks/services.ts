import { DAY } from "../../kernel/clock.ts";
import { LABELS, getTypedLabel } from "../../domain/origins/labels.ts";
import { byService, SERVICES } from "../../domain/jobs/source.ts";
import { parseDate } from "../../kernel/instant.ts";
import { formatCount } from "../../kernel/number-text.ts";
import * as serviceCredentials from "../../storage/jobs/service-credentials.ts";
import * as syncCursors from "../../storage/jobs/sync-cursors.ts";
import type { World } from "../../world.ts";
import { formatMoment } from "../../kernel/time-text.ts";
import { createFindings, type Finding } from "../diagnostic.ts";
import { checkSealed, findSecretProblem } from "../sealed.ts";

const LONG_AGO = 365 * DAY;

/** Checks that the secret decrypts what is stored. */
export const checkSecret = async (deps: Pick<World, "db" | "config" | "random">): Promise<Finding[]> => {
  const say = createFindings("secret");
  const { stored, unreadable, unreadableElse, isForeign, problem } = await checkSealed(deps);
  if (isForeign && problem === null) {
    return [
      say.fail(
        `The database uses a different secret: this one decrypts ${stored - unreadable.length} of ${formatCount(stored, "account")}.`,
        `Put the secret of this database in ${deps.config.dataDir}/secret, or: qsolog db adopt`,
      ),
    ];
  }
  const closed = [
    ...unreadable.map(({ username, source }) => ({
      what: `${LABELS[source]} account of ${username}`,
      remedy: `qsolog service set ${getTypedLabel(source)} --user ${username}`,
    })),
    ...unreadableElse.map(({ username, what, remedy }) => ({ what: `${what} of ${username}`, remedy })),
  ];
  if (closed.length > 0) {
    if (problem !== null)
      return [say.fail(problem, `Put the secret of this database in ${deps.config.dataDir}/secret`)];
    return closed.map(({ what, remedy }) =>
      say.fail(`The secret cannot decrypt the ${what}.`, `Restore the secret it was encrypted with, or: ${remedy}`),
    );
  }
  if (problem !== null) return checkWithoutSecret(deps);
  return [
    say.ok(
      stored === 0
        ? "There is a secret; nothing is encrypted yet."
        : `The secret decrypts ${formatCount(stored, "account")}.`,
    ),
  ];
};

/** Without a database to try it on. */
export const checkSecretAlone = (deps: Pick<World, "config" | "random">): Finding[] => {
  const problem = findSecretProblem(deps);
  return problem === null ? [createFindings("secret").ok("The secret is readable.")] : checkWithoutSecret(deps);
};

const checkWithoutSecret = (deps: Pick<World, "config" | "random">): Finding[] => {
  const say = createFindings("secret");
  const problem = findSecretProblem(deps)!;
  if (problem.startsWith("There is no")) return [say.note(problem, "qsolog serve   (creates it)")];
  const file = `${deps.config.dataDir}/secret`;
  const remedy = problem.startsWith("Could not read")
    ? `ls -l ${file}   (run qsolog as its owner)`
    : `chmod 600 ${file}`;
  return [say.fail(problem, remedy)];
};

export const checkCredentials = async ({ db }: Pick<World, "db">): Promise<Finding[]> => {
  const say = createFindings("credentials");
  const stored = await db.read(serviceCredentials.listAll);
  const rejected = stored.filter(({ state }) => state === "rejected");
  if (rejected.length === 0) return [say.ok("No service has rejected an account.")];
  return rejected.map(({ username, source, stateReason }) =>
    say.warn(
      `${LABELS[source]} rejected the account of ${username}: ${stateReason ?? "no reason given"}`,
      `qsolog service set ${getTypedLabel(source)} --user ${username}`,
    ),
  );
};

/** Checks that no cursor is in the future: everything before a cursor is never downloaded. */
export const checkCursors = async ({ db, clock }: Pick<World, "db" | "clock">): Promise<Finding[]> => {
  const say = createFindings("cursors");
  const now = clock();
  const known = await db.read(syncCursors.listAll);
  const findings: Finding[] = [];
  for (const { username, source, cursor, updatedAt, hasCredentials } of known) {
    const whose = `The ${LABELS[source]} download of ${username}`;
    const latest = Math.max(updatedAt, ...findTimes(cursor));
    if (latest > now + DAY) {
      const words = `${whose} would continue in the future, at ${formatMoment(latest)}.`;
      findings.push(say.warn(words, `qsolog sync ${getTypedLabel(source)} --full --user ${username}`));
    } else if (!hasCredentials) {
      findings.push(
        say.note(
          `${whose} no longer has an account.`,
          `qsolog service set ${getTypedLabel(source)} --user ${username}`,
        ),
      );
    } else if (now - updatedAt > LONG_AGO) {
      const words = `${whose} last ran ${formatMoment(updatedAt)}.`;
      findings.push(say.warn(words, `qsolog sync ${getTypedLabel(source)} --user ${username}`));
    }
  }
  return findings.length > 0
    ? findings
    : [
        say.ok(
          known.length === 0
            ? "Nothing has been downloaded yet."
            : `${formatCount(known.length, "download can", "downloads can")} continue where ${known.length === 1 ? "it" : "they"} stopped.`,
        ),
      ];
};

const MIN_TIMESTAMP = Date.UTC(2000, 0);

/** Finds times in a provider's cursor: dates as text, and numbers that can only be timestamps. */
const findTimes = (cursor: unknown): number[] => {
  if (typeof cursor === "number") return cursor > MIN_TIMESTAMP ? [cursor] : [];
  if (typeof cursor === "string") {
    const at = parseDate(cursor.slice(0, "YYYY-MM-DD".length));
    return at === null ? [] : [at];
  }
  return cursor !== null && typeof cursor === "object" ? Object.values(cursor).flatMap(findTimes) : [];
};

/** A response of a server, whatever its status. */
export interface Reply {
  status: number;
  /** The time in its Date header. */
  date: number | null;
  ms: number;
}

export interface Reached {
  findings: Finding[];
  /** The times of the servers that responded. */
  dates: number[];
}

export const checkUpstream = async (
  { config, providers }: Pick<World, "config" | "providers">,
  knock: (url: string) => Promise<Reply>,
): Promise<Reached> => {
  const urls = byService((service) => config[`${service}Url`]);
  const dates: number[] = [];
  const findings = await Promise.all(
    SERVICES.map(async (source) => {
      const say = createFindings(source);
      const { label } = providers[source];
      const todo = `curl -I ${urls[source]}`;
      try {
        const { status, date, ms } = await knock(urls[source]);
        if (date !== null) dates.push(date);
        if (status >= 500) return say.warn(`${label} is not working: it answers with status ${status}.`, todo);
        return say.ok(`${label} answers, after ${Math.round(ms)} ms.`);
      } catch (error) {
        return say.warn(`Could not reach ${label} at ${urls[source]}: ${(error as Error).message}.`, todo);
      }
    }),
  );
  return { findings, dates };
};
