import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { many } from "../../src/storage/engine/unit.ts";
import { ENGINE, testWorld } from "../support/world.ts";

const STORAGE = join(import.meta.dir, "../../src/storage");

/** Tables of the installation that hold no user's data. */
const OF_THE_INSTALLATION = [
  "account_leases",
  "admin_actions",
  "attempts",
  "installation",
  "migrations",
  "origins",
  "paces",
  "users",
  "workers",
];

/** A contact or job that is already known to belong to the user. */
const OF_A_KNOWN_CONTACT_OR_JOB = /WHERE[^]*\b(qso_id|job_id|resolved_by_job)( \+ 0)? (= \$\{|\$\{inList)/;

/** Other statements without a user, by the reason why they need none. A new one needs one of these reasons. */
const EXCEPTIONS: Record<string, string[]> = {
  "the caller gives the conditions, which name the user": [
    "leftovers.ts listWhere",
    "qso-list.ts listWhere",
    "statistics.ts findEnds",
  ],
  "the statement is part of another one, which names the user": ["leftovers.ts DISMISSED", "leftovers.ts RESOLUTION"],
  "the unit has found these rows among the user's own": [
    "identities.ts setGaveRole",
    "identities.ts setUsed",
    "leftovers.ts resolve",
    "log-figures.ts figuresWork",
    "notices.ts setEvents",
    "passkeys.ts use",
    "pruning.ts removeThem",
    "qso-changes.ts loadLayersBefore",
    "qso-changes.ts loadJobsOf",
    "qsos.ts listByIds",
    "qsos.ts listColumnsByIds",
    "qsos.ts listRough",
    "qsos.ts markDerived",
    "qsos.ts remove",
    "records.ts createReader",
    "records.ts forget",
    "records.ts markIdle",
    "records.ts write",
    "repair-targets.ts remove",
  ],
  "a job that the process runs, or that is known to be the user's": [
    "sync-jobs.ts askToStop",
    "sync-jobs.ts beginRollback",
    "sync-jobs.ts cancel",
    "sync-jobs.ts claim",
    "sync-jobs.ts complete",
    "sync-jobs.ts countOn",
    "sync-jobs.ts fail",
    "sync-jobs.ts findRollback",
    "sync-jobs.ts canWrite",
    "sync-jobs.ts setPhase",
    "sync-jobs.ts setProgress",
    "sync-jobs.ts release",
    "sync-jobs.ts setGains",
    "sync-jobs.ts setRollback",
  ],
  "a session or a token that its secret has named": [
    "api-tokens.ts setLastUsed",
    "sessions.ts confirm",
    "sessions.ts confirmByFactor",
    "sessions.ts isThere",
    "sessions.ts prolong",
    "sessions.ts setLastUsed",
  ],
  "the scheduler, workers and the delivery of notifications serve every user": [
    "auto-sync-settings.ts listReady",
    "notices.ts claim",
    "notices.ts recordFailure",
    "notices.ts giveUp",
    "notices.ts listDue",
    "notices.ts listOldest",
    "notices.ts makeDue",
    "notices.ts delay",
    "notices.ts removeSent",
    "sync-jobs.ts putBack",
    "sync-jobs.ts interrupt",
    "sync-jobs.ts listIdsOf",
    "sync-jobs.ts isAnyQueued",
    "sync-jobs.ts listNotStopped",
    "sync-jobs.ts listPendingOf",
    "sync-jobs.ts requeue",
    "sync-jobs.ts takeQueued",
  ],
  "maintenance and operators see the whole installation": [
    "health.ts contactsWithoutLayers",
    "health.ts failedWithChanges",
    "health.ts newestTime",
    "one-time-codes.ts add",
    "pruning.ts listOld",
    "pruning.ts listReversible",
    "pruning.ts mark",
    "pruning.ts measurePasts",
    "qsos.ts countOutdated",
    "qsos.ts getLastId",
    "qsos.ts listOutdated",
    "sessions.ts removeExpired",
    "sync-jobs.ts getOfAnyUser",
    "sync-jobs.ts listNewestOfAll",
    "system.ts figures",
    "system.ts jobCounts",
    "system.ts jobDurations",
    "system.ts lastSuccesses",
  ],
};

const TAGS = [
  "countChanged",
  "countRows",
  "exists",
  "hasEffect",
  "many",
  "manyValues",
  "maybe",
  "maybeValue",
  "one",
  "run",
  "sql",
];

/** The schedules as rows, from `auto_sync_settings`. */
const SCHEDULES = String.raw`\$\{(?:SCHEDULES|RUNNING)\}`;

/** A tagged template with the text of the local fragments it contains. */
const wholeText = (template: ts.TaggedTemplateExpression, fragments: ReadonlyMap<string, string>): string => {
  const text = template.getText();
  const names = text.match(/\w+/g) ?? [];
  return [text, ...names.map((name) => fragments.get(name) ?? "")].join(" ");
};

const nameOf = (node: ts.Node): string | null =>
  (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node) || ts.isMethodDeclaration(node)) && node.name
    ? node.name.getText()
    : null;

/** The variables of a function by name. */
const fragmentsIn = (node: ts.Node): Map<string, string> => {
  const fragments = new Map<string, string>();
  const visit = (child: ts.Node): void => {
    if (ts.isVariableDeclaration(child)) fragments.set(child.name.getText(), child.initializer?.getText() ?? "");
    ts.forEachChild(child, visit);
  };
  ts.forEachChild(node, visit);
  return fragments;
};

/** Statements on tables of users' data that do not restrict the user: `qsos.ts listByIds`. */
const placesWithoutUser = (file: string, tables: readonly string[]): string[] => {
  const name = basename(file);
  const source = ts.createSourceFile(file, readFileSync(join(STORAGE, file), "utf8"), ts.ScriptTarget.Latest, true);
  const reads = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+((?:${tables.join("|")})\\b(?!\\.)|${SCHEDULES})`);
  const found: string[] = [];
  for (const part of source.statements) {
    const declarations = ts.isVariableStatement(part) ? part.declarationList.declarations : [part];
    for (const declaration of declarations) {
      const fragments = fragmentsIn(declaration);
      const visit = (node: ts.Node): void => {
        if (ts.isTaggedTemplateExpression(node) && TAGS.includes(node.tag.getText())) {
          // Some tags and fragments begin with the table.
          const table = reads.exec(`FROM ${node.template.getText().slice(1)}`)?.[1];
          const text = wholeText(node, fragments);
          const isNamed = /user_?id/i.test(text) || OF_A_KNOWN_CONTACT_OR_JOB.test(text);
          if (table !== undefined && !isNamed) found.push(`${name} ${nameOf(declaration)}`);
          if (table !== undefined) return;
        }
        ts.forEachChild(node, visit);
      };
      visit(declaration);
    }
  }
  return found;
};

const tablesOfUsers = async (): Promise<string[]> => {
  const { db } = await testWorld();
  const named = await db.read(() =>
    ENGINE === "sqlite"
      ? many<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`
      : many<{ name: string }>`SELECT table_name AS name FROM information_schema.tables
                               WHERE table_schema = current_schema()`,
  );
  return named.map(({ name }) => name).filter((name) => !OF_THE_INSTALLATION.includes(name));
};

// Invariant: every row of a user's data has the user's id
test("every table with data of a user has a user id", async () => {
  const { db } = await testWorld();
  const having = await db.read(() =>
    ENGINE === "sqlite"
      ? many<{ name: string }>`SELECT t.name FROM sqlite_master t JOIN pragma_table_info(t.name) c
                               WHERE t.type = 'table' AND t.name <> 'users' AND c.name = 'user_id' AND (c."notnull" = 1 OR c.pk > 0)`
      : many<{ name: string }>`SELECT table_name AS name FROM information_schema.columns
                               WHERE table_schema = current_schema() AND column_name = 'user_id' AND is_nullable = 'NO'`,
  );
  expect(having.map(({ name }) => name).sort()).toEqual((await tablesOfUsers()).sort());
});

// Invariant: no query returns another user's rows
test("every statement about such a table restricts the user, or is listed as an exception", async () => {
  const tables = await tablesOfUsers();
  const found = readdirSync(STORAGE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => placesWithoutUser(file, tables));
  expect([...new Set(found)].sort()).toEqual(Object.values(EXCEPTIONS).flat().sort());
});
