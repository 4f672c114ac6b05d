import { providers } from "../providers/registry.ts";
import type { Database } from "../storage/engine/database.ts";
import type { World } from "../world.ts";
import { clockOfServer, clocks } from "./checks/clock.ts";
import { country } from "./checks/country.ts";
import { queue } from "./checks/listen.ts";
import { openForLook } from "./checks/database.ts";
import { disk, permissions } from "./checks/files.ts";
import { jobs } from "./checks/jobs.ts";
import { schedules } from "./checks/schedules.ts";
import { orphans, people, rules, statistics } from "./checks/rows.ts";
import { bloat, locks, replication, server } from "./checks/server.ts";
import { credentials, cursors, secret, secretAlone, upstream, type Knock } from "./checks/services.ts";
import { findingsOf, type Finding } from "./diagnostic.ts";

type Deps = Pick<World, "config" | "clock" | "random" | "ticks" | "sleep" | "turn" | "every">;

interface Options {
  /** Sends a request to a server. Without this function nothing is sent. */
  knock?: (url: string) => Promise<Knock>;
  /** Called before each check. */
  onCheck?: (check: string) => void;
}

/** Runs all checks without changing anything. A check that cannot run is a finding too. */
export const examine = async (deps: Deps, { knock, onCheck = () => {} }: Options = {}): Promise<Finding[]> => {
  const findings: Finding[] = [];
  const look = async (check: string, work: () => Finding[] | Promise<Finding[]>) => {
    onCheck(check);
    findings.push(...(await attempted(check, work)));
  };
  await look("permissions", () => permissions(deps));
  await look("disk", () => disk(deps));
  onCheck("database");
  const { findings: ofDatabase, db } = await openForLook(deps);
  findings.push(...ofDatabase);
  try {
    if (db !== null) await inDatabase({ ...deps, db }, look);
    else {
      findings.push(
        findingsOf("rows").note("What is in the database was not looked at.", "qsolog doctor   (once that is mended)"),
      );
      await look("secret", () => secretAlone(deps));
    }
    await look("listen", () => queue(deps));
    await look("country", () => country(deps));
    onCheck("services");
    const reached = knock ? await upstream({ ...deps, providers }, knock) : { findings: [], dates: [] };
    findings.push(...reached.findings);
    await look("clock", () => clocks({ ...deps, db }, reached.dates));
  } finally {
    await db?.close();
  }
  return findings;
};

type Look = (check: string, work: () => Finding[] | Promise<Finding[]>) => Promise<void>;

const inDatabase = async (deps: Deps & { db: Database }, look: Look): Promise<void> => {
  if (deps.db.engine === "postgres") {
    await look("server", () => server(deps));
    await look("locks", () => locks(deps));
    await look("bloat", () => bloat(deps));
    await look("replication", () => replication(deps));
    await look("clock", () => clockOfServer(deps));
  }
  await look("orphans", () => orphans(deps));
  await look("statistics", () => statistics(deps));
  await look("rules", () => rules(deps));
  await look("users", () => people(deps));
  await look("jobs", () => jobs(deps));
  await look("secret", () => secret(deps));
  await look("credentials", () => credentials(deps));
  await look("cursors", () => cursors(deps));
  await look("schedules", () => schedules(deps));
};

/** A check that fails must not prevent the others. */
const attempted = async (check: string, work: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await work();
  } catch (error) {
    return [
      findingsOf(check).fail(`This cannot be looked at: ${(error as Error).message}`, "qsolog doctor   (once more)"),
    ];
  }
};
