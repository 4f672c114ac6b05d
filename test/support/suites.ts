import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "../..");

/** Suites about the database or several processes on one database. They run on both engines. */
export const ON_BOTH_ENGINES = [
  "test/storage",
  "test/auth/other-instance.test.ts",
  "test/own-secret.test.ts",
  "test/shared-clock.test.ts",
  "test/model",
  "test/sync/rollback.test.ts",
  "test/sync/run.test.ts",
  "test/sync/crowd.test.ts",
  "test/sync/outage.test.ts",
  "test/sync/workers.test.ts",
  "test/sync/end.test.ts",
  "test/sync/accounts.test.ts",
  "test/auto-sync/scheduler.test.ts",
  "test/server/away.test.ts",
  "test/server/full.test.ts",
  "test/server/health.test.ts",
  "test/cli/db.test.ts",
  "test/e2e/instances.test.ts",
  "test/e2e/failover.test.ts",
  "test/e2e/kill.test.ts",
  "test/upkeep/move.test.ts",
  "test/upkeep/automatic-backups.test.ts",
  "test/notices/notices.test.ts",
];

/**
 * Suites that use the database through code that those above test. They run on PostgreSQL only with QSOLOG_TEST_FULL=1.
 * In the short form the model test covers repairs, feeds, imports, merges and undo there.
 */
export const ON_BOTH_ENGINES_IN_THE_LONG_FORM = [
  "test/people",
  "test/notices",
  "test/cli/running-job.test.ts",
  "test/server/life.test.ts",
  "test/server/stop.test.ts",
  "test/sync/beside.test.ts",
  "test/sync/properties.test.ts",
  "test/sync/feed.test.ts",
  "test/sync/slices.test.ts",
  "test/sync/duplicates.test.ts",
  "test/sync/undo-imports.test.ts",
  "test/sync/again.test.ts",
  "test/sync/repair.test.ts",
  "test/auth/sign-in.test.ts",
  "test/auth/last-seen.test.ts",
  "test/auth/in-flight.test.ts",
  "test/contacts",
  "test/sync/matching.test.ts",
  "test/sync/reconcile.test.ts",
  "test/sync/files.test.ts",
  "test/sync/long-life.test.ts",
  "test/sync/past.test.ts",
  "test/server/live.test.ts",
  "test/server/paging.test.ts",
  "test/server/search.test.ts",
  "test/cli/doctor.test.ts",
  "test/recorded/preview.test.ts",
  "test/awards",
  "test/upkeep",
  "test/auth/confirm.test.ts",
  "test/auth/factors.test.ts",
  "test/auth/impersonation.test.ts",
  "test/auth/oidc.test.ts",
  "test/auth/proxy-sign-in.test.ts",
  "test/sync/first.test.ts",
  "test/sync/second.test.ts",
  "test/sync/books.test.ts",
  "test/sync/credentials.test.ts",
  "test/sync/samples.test.ts",
  "test/sync/why.test.ts",
  "test/sync/workbench.test.ts",
  "test/server/access.test.ts",
  "test/server/wavelog.test.ts",
  "test/server/fuzz.test.ts",
  "test/server/admin.test.ts",
  "test/server/duplicates.test.ts",
  "test/server/notices.test.ts",
  "test/server/other-book.test.ts",
  "test/server/reconcile.test.ts",
  "test/server/repairs.test.ts",
  "test/server/requests.test.ts",
  "test/server/uploads.test.ts",
  "test/server/wrong-account.test.ts",
  "test/cli/factors.test.ts",
  "test/cli/import.test.ts",
  "test/cli/jobs.test.ts",
  "test/cli/need.test.ts",
  "test/cli/notify.test.ts",
  "test/cli/qso.test.ts",
  "test/cli/remote.test.ts",
  "test/cli/repair.test.ts",
  "test/cli/rollback.test.ts",
  "test/cli/schedule.test.ts",
  "test/cli/service.test.ts",
  "test/cli/stats.test.ts",
  "test/cli/sync.test.ts",
  "test/cli/token.test.ts",
  "test/tui/dashboard.test.ts",
  "test/tui/list.test.ts",
  "test/tui/working.test.ts",
];

/** Files that need their own modules and globals, because of what others leave behind in a process. */
export const ISOLATED: readonly string[] = [
  // The order of fields depends on what the process has seen before, and these tests compare every character.
  "test/recorded/preview.test.ts",
  "test/recorded/recorded.test.ts",
  // Measures the heap.
  "test/sync/deferred.test.ts",
];

/** Things that take time: another process, a browser, a socket, a thread, the simulated services. */
const MORE_THAN_A_PROCESS =
  /\bBun\.(spawn|spawnSync|serve|listen|connect|WebView|\$)\b|\bnew (Worker|WebSocket)\b|"node:(net|http|child_process)"|\bthread: true\b|\/src\/(main|simulated\/(services|world))\.ts"/;

/** Tests that need none of these and still took over a second of processor time. */
export const SLOW: readonly string[] = [
  "test/adif/fuzz.test.ts",
  "test/adif/reader.test.ts",
  "test/adif/writer.test.ts",
  "test/auth/confirm.test.ts",
  "test/auth/factors.test.ts",
  "test/auth/last-seen.test.ts",
  "test/auth/sign-in.test.ts",
  "test/auto-sync/month.test.ts",
  "test/auto-sync/outage.test.ts",
  "test/auto-sync/scheduler.test.ts",
  "test/awards/agreement.test.ts",
  "test/awards/need.test.ts",
  "test/awards/references.test.ts",
  "test/awards/rules.test.ts",
  "test/callsign/country-file.test.ts",
  "test/cli/client/contract.test.ts",
  "test/contacts/edit.test.ts",
  "test/contacts/export.test.ts",
  "test/contacts/formats.test.ts",
  "test/contacts/round-trip.test.ts",
  "test/domain/derive.test.ts",
  "test/domain/export-record.test.ts",
  "test/domain/layers.test.ts",
  "test/regular-expressions.test.ts",
  "test/server/access.test.ts",
  "test/server/admin.test.ts",
  "test/server/fuzz.test.ts",
  "test/server/page-access.test.ts",
  "test/server/paging.test.ts",
  "test/server/stop.test.ts",
  "test/server/wavelog.test.ts",
  "test/storage/indexes.test.ts",
  "test/storage/storable.test.ts",
  "test/sync/again.test.ts",
  "test/sync/undo-imports.test.ts",
  "test/sync/duplicates.test.ts",
  "test/sync/feed.test.ts",
  "test/sync/files.test.ts",
  "test/sync/log-file.test.ts",
  "test/sync/long-life.test.ts",
  "test/sync/past.test.ts",
  "test/sync/properties.test.ts",
  "test/sync/reconcile.test.ts",
  "test/sync/repair.test.ts",
  "test/upkeep/prune.test.ts",
  "test/views/texts.test.ts",
  "test/views/valid.test.ts",
];

const IMPORTED = /(?:\bfrom |\bimport\()"(\.[^"]+)"/g;

const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** A file with the test files it imports, transitively. */
const withSupport = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, target] of textOf(file).matchAll(IMPORTED)) {
    const imported = relative(ROOT, resolve(ROOT, dirname(file), target!));
    if (imported.startsWith("test/")) withSupport(imported, seen);
  }
  return seen;
};

export const needsMore = (file: string): boolean => [...withSupport(file)].some((one) => reachesFurther(textOf(one)));

/** Quoted text does not count. */
export const reachesFurther = (text: string): boolean =>
  text.split("\n").some((line) => !/^\s*["'`]/.test(line) && MORE_THAN_A_PROCESS.test(line));

export const testFiles = (): string[] =>
  readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => join("test", file))
    .sort();

/** Tests that one process runs in a few seconds. */
export const quickTests = (): string[] => testFiles().filter((file) => !SLOW.includes(file) && !needsMore(file));
