import { RULES_VERSION } from "../../domain/contact/derive.ts";
import { formatCount } from "../../kernel/number-text.ts";
import * as health from "../../storage/engine/health.ts";
import * as qsos from "../../storage/log/qsos.ts";
import * as deletedUsers from "../../storage/people/deleted-users.ts";
import * as users from "../../storage/people/users.ts";
import type { World } from "../../world.ts";
import { createFindings, listSome, type Finding } from "../diagnostic.ts";

type Deps = Pick<World, "db">;

/** Checks for contacts without records and for partly deleted accounts. */
export const checkOrphans = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("orphans");
  const [bare, deleted] = await db.read(function* () {
    return [yield* health.contactsWithoutLayers(), yield* deletedUsers.listDeleted()] as const;
  });
  const findings: Finding[] = [];
  if (bare.length > 0) {
    const words = `${formatCount(bare.length, "QSO has", "QSOs have")} no source: ${listSome(bare)}.`;
    findings.push(say.warn(words, "qsolog sync all --full   (downloads everything again)"));
  }
  if (deleted.length > 0) {
    findings.push(
      say.note(
        `${formatCount(deleted.length, "deleted account")} still to be cleaned up.`,
        "qsolog serve   (continues it)",
      ),
    );
  }
  return findings.length > 0 ? findings : [say.ok("No orphaned rows.")];
};

/** Checks that the statistics agree with the rows. */
export const checkStatistics = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("statistics");
  const wrong = await db.read(health.miscounted);
  if (wrong.length > 0) {
    return wrong.map(({ username, counted: said, there }) =>
      say.fail(
        `The statistics of ${username ?? "an unknown user"} say ${describeTally(said)}, but the log has ${describeTally(there)}.`,
        getReindexCommand(db.location),
      ),
    );
  }
  return [say.ok("The statistics match the logs.")];
};

const describeTally = (tally: health.Tally | null): string =>
  `${formatCount(tally?.qsos ?? 0, "QSO")} and ${formatCount((tally?.first ?? 0) + (tally?.second ?? 0), "confirmation")}`;

/** An index is built from the rows, so rebuilding it loses nothing. */
export const getReindexCommand = (file: string): string => `sqlite3 ${file} REINDEX   (while the server is stopped)`;

export const checkRules = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("rules");
  const outdated = await db.read(() => qsos.countOutdated(RULES_VERSION));
  if (outdated === 0) return [say.ok("Every QSO was processed by this version's rules.")];
  return [say.warn(`${formatCount(outdated, "QSO")} processed by the rules of another version.`, "qsolog db derive")];
};

export const checkPeople = async ({ db }: Deps): Promise<Finding[]> => {
  const say = createFindings("users");
  const [everybody, administrators] = await db.read(function* () {
    return [yield* users.count(), yield* users.count("admin")] as const;
  });
  if (everybody === 0) return [say.note("There are no users yet.", "qsolog admin create NAME")];
  if (administrators === 0) return [say.fail("There is no administrator.", "qsolog admin promote NAME")];
  return [say.ok(`${formatCount(everybody, "user")}, including ${formatCount(administrators, "administrator")}.`)];
};
