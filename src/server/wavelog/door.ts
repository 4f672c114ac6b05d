import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import { admit, type Visit } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import { askerOf } from "../http/dispatch.ts";
import { HTTP_STATUS } from "../http/errors.ts";

/** Who asks with the key of a program. */
export interface Program {
  asker: LogCaller;
  caller: Caller;
  /** The name of its key: each has one job a day. */
  client: string;
}

/** Lets the key of a program in, by the same door as everybody else. */
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

/** What was thrown, as words for the programs' own forms; what was not meant for people stays in the log. */
export const refusalIn = (app: App, error: unknown): AppError => {
  if (error instanceof AppError) return error;
  app.log.error("request.failed", { error });
  return new AppError("internal", "Something went wrong. See the server's log for details.");
};

export const statusOf = ({ code }: AppError): number => HTTP_STATUS[code];

/** Programs that are told to wait come back. */
export const waitOf = ({ code, retryAfterSeconds }: AppError): Record<string, string> => {
  const wait = retryAfterSeconds ?? (code === "unavailable" ? 5 : undefined);
  return wait === undefined ? {} : { "retry-after": String(wait) };
};
