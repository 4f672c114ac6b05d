import type { RequestOrigin } from "../domain/people/account-event.ts";
import type { CredentialField, SyncErrorCode } from "../domain/jobs/provider.ts";
import type { Service } from "../domain/jobs/source.ts";
import { AppError } from "../kernel/errors.ts";
import type { LogCaller } from "./caller.ts";
import type { JobDocument } from "./contract.ts";
import { sync } from "./job-actions.ts";
import { changeSchedule } from "./schedule.ts";
import { setCredentials, testCredentials } from "./services.ts";

interface ConnectOrder {
  source: Service;
  /** The account, by the names of its fields. */
  fields: Record<string, unknown>;
  client?: RequestOrigin;
}

/** Saves an account, tests it, starts the first sync, and schedules the next ones. Returns the first sync. */
export const connectService = async (
  deps: Parameters<typeof sync>[0],
  caller: LogCaller,
  { source, fields, client }: ConnectOrder,
): Promise<JobDocument> => {
  await setCredentials(deps, caller, source, fields, client);
  await testCredentials(deps, caller, source).catch((error: unknown) => {
    throw atItsField(error, deps.providers[source].fields);
  });
  const first = await sync(deps, caller, source);
  await changeSchedule(deps, caller, { [source]: { enabled: true } });
  return first;
};

/** A rejected account is a problem of its secret. */
const atItsField = (error: unknown, fields: readonly CredentialField[]): unknown => {
  const field = fields.find(({ secret }) => secret);
  if (!(error instanceof AppError) || error.rule !== ("auth_failed" satisfies SyncErrorCode) || !field) return error;
  const { code, message, rule } = error;
  return new AppError(code, message, { rule, fields: [{ path: field.name, message }] });
};
