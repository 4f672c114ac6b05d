interface LogEventSpec {
  levels: readonly ("debug" | "info" | "warn" | "error")[];
  /** No field holds a password, token or key. */
  fields: readonly string[];
  meaning: string;
}

/** Every event of the log file. Names, levels and fields are stable; `docs/log-events.md` follows from them. */
export const LOG_EVENTS = {
  "server.started": {
    levels: ["info"],
    fields: ["url", "address", "database"],
    meaning: "The server answers requests.",
  },
  "server.stopping": { levels: ["info"], fields: [], meaning: "The server was asked to stop." },
  "server.stopped": { levels: ["info"], fields: [], meaning: "The server has stopped." },
  "server.few_descriptors": {
    levels: ["warn"],
    fields: ["limit", "needed"],
    meaning: "The server can have few files and connections open. Raise `LimitNOFILE` or `ulimit -n`.",
  },
  "server.connections_paused": {
    levels: ["warn"],
    fields: ["limit"],
    meaning: "Connections have taken almost all descriptors. No more are accepted until some have ended.",
  },
  "server.connections_resumed": { levels: ["info"], fields: [], meaning: "Connections are accepted again." },
  "server.start_delayed": {
    levels: ["warn"],
    fields: ["error"],
    meaning: "Connections took all descriptors before the jobs started. It is tried again.",
  },
  request: {
    levels: ["debug", "info"],
    fields: ["id", "method", "path", "status", "ms"],
    meaning: "A request was answered. Info if it changed something or failed. `path` is the route.",
  },
  "request.failed": {
    levels: ["error"],
    fields: ["id", "method", "path", "error"],
    meaning: "A request failed unexpectedly. The visitor saw a general message.",
  },
  "sign_in.succeeded": {
    levels: ["info"],
    fields: ["address", "name", "factor", "by"],
    meaning: "A user signed in. `factor` is the second factor, `by` a provider or proxy that named the user.",
  },
  "sign_in.failed": { levels: ["warn"], fields: ["address", "name"], meaning: "A sign-in, key or token was refused." },
  "sign_in.throttled": {
    levels: ["warn"],
    fields: ["address", "name"],
    meaning: "A sign-in was refused without a check, because there were too many attempts.",
  },
  "oidc.refused": {
    levels: ["warn"],
    fields: ["issuer", "reason"],
    meaning: "The single sign-on provider refused a sign-in or gave an invalid answer.",
  },
  "oidc.role_kept": {
    levels: ["warn"],
    fields: ["username", "reason"],
    meaning: "The provider's groups would change a role, but the change was refused.",
  },
  "last_seen.write_failed": {
    levels: ["warn"],
    fields: ["error"],
    meaning: "When users were last active could not be stored. It is tried again.",
  },
  "database.migrated": { levels: ["info"], fields: ["applied", "copy"], meaning: "Migrations were applied." },
  "database.replaced": {
    levels: ["error"],
    fields: ["message"],
    meaning: "Another program replaced or removed the database file. Restart the server.",
  },
  "database.waited": {
    levels: ["warn"],
    fields: ["ms"],
    meaning: "A job waited until the database could be used again.",
  },
  "readiness.failed": { levels: ["warn"], fields: ["error"], meaning: "The database cannot be written." },
  "analyze.failed": { levels: ["debug"], fields: ["error"], meaning: "The database could not update its statistics." },
  "clocks.compare_failed": {
    levels: ["debug"],
    fields: ["error"],
    meaning: "The clock could not be compared with that of the database server.",
  },
  "derive.done": {
    levels: ["info"],
    fields: ["checked", "changed"],
    meaning: "After an update, contacts were computed again.",
  },
  "derive.interrupted": {
    levels: ["info"],
    fields: ["checked", "changed"],
    meaning: "Computing contacts again was interrupted. It continues at the next start.",
  },
  "derive.failed": {
    levels: ["error"],
    fields: ["error"],
    meaning: "Computing contacts again failed. It continues at the next start.",
  },
  "deletions.failed": {
    levels: ["error"],
    fields: ["error"],
    meaning: "The rest of a deleted user's data could not be removed. It is tried again.",
  },
  "country_file.update_failed": {
    levels: ["warn"],
    fields: ["error"],
    meaning: "The country file that another instance installed could not be loaded.",
  },
  "temporary_files.removed": {
    levels: ["info"],
    fields: ["files"],
    meaning: "Temporary files of programs that died were removed.",
  },
  "job.ended": {
    levels: ["info", "warn"],
    fields: ["job", "user", "source", "trigger", "status", "error", "added", "updated"],
    meaning: "A job ended. Warn if it failed.",
  },
  "backup.made": { levels: ["info"], fields: ["file", "ms"], meaning: "An automatic backup was made." },
  "backup.failed": {
    levels: ["error"],
    fields: ["file", "error"],
    meaning: "An automatic backup failed. It is tried again in an hour.",
  },
  "disk.full": {
    levels: ["error"],
    fields: ["directory", "freeBytes"],
    meaning: "There is too little free space to write.",
  },
  "mail.failed": { levels: ["warn"], fields: ["reason"], meaning: "A password link could not be mailed." },
  "settings.differ": {
    levels: ["warn"],
    fields: ["settings"],
    meaning: "Another instance on this database has different settings.",
  },
  "job.orphaned": {
    levels: ["warn"],
    fields: ["job", "user", "source"],
    meaning: "The program that ran a job died. The job failed and can be rolled back.",
  },
  "job.failed": {
    levels: ["error"],
    fields: ["job", "source", "error"],
    meaning: "A job failed for an unexpected reason.",
  },
  "job.lost": {
    levels: ["error"],
    fields: ["job", "error"],
    meaning: "The end of a job could not be stored. It counts as orphaned later.",
  },
  "job.end_write_failed": {
    levels: ["warn"],
    fields: ["job", "error"],
    meaning: "The end of a job could not be stored. It is tried again.",
  },
  "job.end_delayed": {
    levels: ["warn"],
    fields: ["job", "ms"],
    meaning: "The end of a job was stored after several attempts.",
  },
  "jobs.start_failed": { levels: ["warn"], fields: ["error"], meaning: "Waiting jobs could not be started." },
  "jobs.end_failed": {
    levels: ["warn"],
    fields: ["error"],
    meaning: "Jobs of a crashed thread could not be ended. It is tried again.",
  },
  "jobs.requeue_failed": {
    levels: ["debug"],
    fields: ["error"],
    meaning: "At a stop, jobs that had not begun could not be given to another program.",
  },
  "jobs_thread.crashed": {
    levels: ["error"],
    fields: ["error"],
    meaning: "The thread that runs jobs crashed. Its jobs failed; a new thread starts.",
  },
  "progress.write_failed": {
    levels: ["debug"],
    fields: ["job", "error"],
    meaning: "The progress of a download could not be stored.",
  },
  "rollback.resumed": {
    levels: ["info"],
    fields: ["job", "user"],
    meaning: "A rollback that another program had begun was continued.",
  },
  "repair.resumed": {
    levels: ["info"],
    fields: ["job", "user"],
    meaning: "A bulk edit that another program had begun was continued.",
  },
  "worker.heartbeat_failed": {
    levels: ["warn"],
    fields: ["error"],
    meaning: "This program could not report that it is alive. Without reports it loses its jobs.",
  },
  "worker.expired": {
    levels: ["warn"],
    fields: ["jobs"],
    meaning: "This program did not report for too long, so it failed its own jobs.",
  },
  "worker.stop_check_failed": {
    levels: ["debug"],
    fields: ["error"],
    meaning: "Which jobs another program stopped could not be read.",
  },
  "scheduler.failed": { levels: ["error"], fields: ["error"], meaning: "The work of one minute failed." },
  "scheduler.recovered": {
    levels: ["warn"],
    fields: ["ms"],
    meaning: "The scheduler works again. It failed for this long.",
  },
  "scheduler.task_failed": {
    levels: ["error"],
    fields: ["error"],
    meaning: "Work that the scheduler started in the background failed.",
  },
  "auto_sync.off": {
    levels: ["warn"],
    fields: ["reason"],
    meaning: "Scheduled syncs are off, because their table does not exist.",
  },
  "auto_sync.rescheduled": {
    levels: ["warn"],
    fields: ["schedules"],
    meaning: "Schedules were too far in the future, because the clock had been wrong. They were moved to the present.",
  },
  "auto_sync.start_failed": {
    levels: ["error"],
    fields: ["user", "source", "error"],
    meaning: "A scheduled sync could not be started for an unexpected reason.",
  },
  "provider.retry": {
    levels: ["debug"],
    fields: ["service", "reason"],
    meaning: "A request to a service failed and is repeated.",
  },
  "provider.problems": {
    levels: ["debug"],
    fields: ["service", "problems"],
    meaning: "A download had records with problems; `problems` counts each kind.",
  },
  "notice.sent": {
    levels: ["info"],
    fields: ["notice", "what", "target", "host"],
    meaning: "A notification was delivered.",
  },
  "notice.failed": {
    levels: ["warn", "error"],
    fields: ["target", "host", "reason", "error", "failures"],
    meaning: "A notification could not be delivered and is tried again. Error for an unexpected reason.",
  },
  "notice.given_up": {
    levels: ["warn"],
    fields: ["target", "host", "notices"],
    meaning: "Notifications were dropped, because they could not be delivered for too long.",
  },
  "notices.delivery_failed": {
    levels: ["error"],
    fields: ["error"],
    meaning: "Delivering notifications failed before a target was asked.",
  },
  "watch.failed": {
    levels: ["debug"],
    fields: ["error"],
    meaning: "Open pages could not be told whether the log changed.",
  },
} as const satisfies Record<string, LogEventSpec>;

export type LogEvent = keyof typeof LOG_EVENTS;

export type LogFields<Event extends LogEvent> = {
  [Field in (typeof LOG_EVENTS)[Event]["fields"][number]]?: unknown;
};
