import type { Credentials, ProviderDeps } from "../domain/jobs/provider.ts";
import { Pace } from "./pace.ts";

/** What all requests of one download or test share. */
export interface Session {
  deps: ProviderDeps;
  /** The base URL of the service, without a trailing slash. */
  base: string;
  credentials: Credentials;
  callsign: string | undefined;
  signal: AbortSignal;
  pace: Pace;
}

/** Sessions with the same pace name share the pauses between requests. */
export const openSession = (
  deps: ProviderDeps,
  pace: string,
  credentials: Credentials,
  callsign: string | undefined,
  signal: AbortSignal,
): Session => ({
  deps,
  base: deps.baseUrl.replace(/(?<!\/)\/+$/, ""),
  credentials,
  callsign,
  signal,
  pace: new Pace(deps, pace, signal),
});
