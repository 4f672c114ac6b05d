import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import { admit, type Visit } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import { askerOf } from "../http/dispatch.ts";
import { toAppError } from "../http/errors.ts";

/** A request of a program. */
export interface Question {
  app: App;
  request: Request;
  params: Record<string, string>;
  address: Address;
}

export type WavelogRoute = readonly [
  method: "GET" | "POST" | "PATCH" | "DELETE",
  path: string,
  answer: (question: Question) => Promise<Response>,
];

/** A caller with the key of a program. */
export interface Program {
  asker: LogCaller;
  caller: Caller;
  /** The name of the key. Each key has one job per day. */
  client: string;
}

/** Admits a program by its key, with the same checks as any other caller. */
export const programOf = async (
  { app, request, address }: Question,
  key: string,
  needs: "feed" | "lookup",
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

/** An error in the form that programs expect. */
export const refusalIn = (app: App, error: unknown): AppError => {
  const refusal = toAppError(app, error, {});
  return refusal.rule === "session_ended"
    ? new AppError(refusal.code, "The API key is missing or wrong.", refusal)
    : refusal;
};
