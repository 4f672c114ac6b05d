import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import { admit, type Visit } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import { askerOf } from "../http/dispatch.ts";
import { HTTP_STATUS } from "../http/errors.ts";

/** A caller with the key of a program. */
export interface Program {
  asker: LogCaller;
  caller: Caller;
  /** The name of the key. Each key has one job per day. */
  client: string;
}

/** Admits a program by its key, with the same checks as any other caller. */
export const programOf = async (
  app: App,
  request: Request,
  address: Address,
  { key, needs }: { key: string; needs: "feed" | "lookup" },
): Promise<Program> => {
  const visit: Visit = { caller: null, address, headers: new Headers() };
  const door = {
    method: request.method,
    access: "user",
    feedKeys: needs,
    rawBody: true,
    key: { text: key, address: address.visitor() },
  } as const;
  await admit(app, request, door, visit, () => undefined);
  const caller = visit.caller!;
  return { asker: askerOf(caller, request), caller, client: caller.tokenName! };
};

/** An error in the form that programs expect. Details of unexpected errors go only to the log. */
export const refusalIn = (app: App, error: unknown): AppError => {
  if (error instanceof AppError) {
    return error.rule === "session_ended" ? new AppError(error.code, "The API key is missing or wrong.", error) : error;
  }
  app.log.error("request.failed", { error });
  return new AppError("internal", "Something went wrong. See the server's log for details.");
};

export const statusOf = ({ code }: AppError): number => HTTP_STATUS[code];

/** Programs come back after the time they are told to wait. */
export const waitOf = ({ code, retryAfterSeconds }: AppError): Record<string, string> => {
  const wait = retryAfterSeconds ?? (code === "unavailable" ? 5 : undefined);
  return wait === undefined ? {} : { "retry-after": String(wait) };
};
