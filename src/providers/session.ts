import type { Credentials, ProviderDeps } from "../domain/jobs/provider.ts";
import { Pace } from "./pace.ts";

/** What all questions of one download or test share. */
export interface Session {
  deps: ProviderDeps;
  /** The address of the service, without a slash at its end. */
  base: string;
  credentials: Credentials;
  callsign: string | undefined;
  signal: AbortSignal;
  pace: Pace;
}

/** Sessions of one pace keep their questions apart together. */
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
