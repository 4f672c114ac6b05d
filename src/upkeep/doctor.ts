import { providers } from "../providers/registry.ts";
import type { Database } from "../storage/engine/database.ts";
import type { World } from "../world.ts";
import { checkServerClock, checkClocks } from "./checks/clock.ts";
import { checkCountryFile } from "./checks/country.ts";
import { checkQueue } from "./checks/listen.ts";
import { openForLook } from "./checks/database.ts";
import { checkBackups, checkDisk, checkPermissions } from "./checks/files.ts";
import { checkJobs } from "./checks/jobs.ts";
import { checkSchedules } from "./checks/schedules.ts";
import { checkOrphans, checkPeople, checkRules, checkStatistics } from "./checks/rows.ts";
import { findDifferentSettings } from "./shared-settings.ts";
import { checkBloat, checkLocks, checkReplication, checkServer } from "./checks/server.ts";
import {
  checkCredentials,
  checkCursors,
  checkSecret,
  checkSecretAlone,
  checkUpstream,
  type Reply,
} from "./checks/services.ts";
import { createFindings, type Finding } from "./diagnostic.ts";

type Deps = Pick<World, "config" | "clock" | "random" | "ticks" | "sleep" | "turn" | "every">;

interface Options {
  /** Sends a request to a server. Without this function nothing is sent. */
  knock?: (url: string) => Promise<Reply>;
  /** Called before each check. */
  onCheck?: (check: string) => void;
}

/** Runs all checks without changing anything. A check that cannot run is a finding too. */
export const runChecks = async (deps: Deps, { knock, onCheck = () => {} }: Options = {}): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const look = async (check: string, work: () => Finding[] | Promise<Finding[]>) => {
    onCheck(check);
    findings.push(...(await runCheck(check, work)));
  };
  await look("permissions", () => checkPermissions(deps));
  await look("disk", () => checkDisk(deps));
  await look("backups", () => checkBackups(deps));
  onCheck("database");
  const { findings: ofDatabase, db } = await openForLook(deps);
  findings.push(...ofDatabase);
  try {
    if (db !== null) await runDatabaseChecks({ ...deps, db }, look);
    else {
      findings.push(
        createFindings("rows").note(
          "The contents of the database were not checked.",
          "qsolog doctor   (after fixing the above)",
        ),
      );
      await look("secret", () => checkSecretAlone(deps));
    }
    await look("listen", () => checkQueue(deps));
    await look("country", () => checkCountryFile(deps));
    onCheck("services");
    const reached = knock ? await checkUpstream({ ...deps, providers }, knock) : { findings: [], dates: [] };
    findings.push(...reached.findings);
    await look("clock", () => checkClocks({ ...deps, db }, reached.dates));
  } finally {
    await db?.close();
  }
  return findings;
};

type Look = (check: string, work: () => Finding[] | Promise<Finding[]>) => Promise<void>;

const runDatabaseChecks = async (deps: Deps & { db: Database }, look: Look): Promise<void> => {
  if (deps.db.engine === "postgres") {
    await look("server", () => checkServer(deps));
    await look("settings", () => checkSharedSettings(deps));
    await look("locks", () => checkLocks(deps));
    await look("bloat", () => checkBloat(deps));
    await look("replication", () => checkReplication(deps));
    await look("clock", () => checkServerClock(deps));
  }
  await look("orphans", () => checkOrphans(deps));
  await look("statistics", () => checkStatistics(deps));
  await look("rules", () => checkRules(deps));
  await look("users", () => checkPeople(deps));
  await look("jobs", () => checkJobs(deps));
  await look("secret", () => checkSecret(deps));
  await look("credentials", () => checkCredentials(deps));
  await look("cursors", () => checkCursors(deps));
  await look("schedules", () => checkSchedules(deps));
};

const checkSharedSettings = async (deps: Deps & { db: Database }): Promise<Finding[]> => {
  const { host, different } = await findDifferentSettings(deps);
  const say = createFindings("instances");
  if (different.length === 0) return [say.ok("All instances started with the same settings.")];
  const words = `The instance that started last, on ${host}, has other settings than one before: ${different.join(", ")}.`;
  return [say.warn(words, "qsolog config   (at each instance; then restart them with the same settings)")];
};

/** A check that fails must not prevent the others. */
const runCheck = async (check: string, work: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await work();
  } catch (error) {
    return [
      createFindings(check).fail(`This check failed: ${(error as Error).message}`, "qsolog doctor   (try again)"),
    ];
  }
};
