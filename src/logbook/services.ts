import type { RequestOrigin } from "../domain/people/account-event.ts";
import { OPERATOR } from "../domain/people/actor.ts";
import type { ServiceSchedule } from "../domain/jobs/auto-sync.ts";
import type { CredentialField } from "../domain/jobs/provider.ts";
import { SERVICES, type Service } from "../domain/jobs/source.ts";
import * as stored from "../storage/jobs/service-credentials.ts";
import type { Unit } from "../storage/engine/unit.ts";
import * as users from "../storage/people/users.ts";
import {
  clearCredentials as clear,
  toServiceView,
  setCredentials as set,
  testCredentials as test,
  type ServiceView,
} from "../sync/source/credentials.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import { scheduleOf } from "./schedule.ts";

type Known = Pick<World, "db" | "vault" | "providers">;

/** The services, and whether they are set up. */
export const listServices = async (
  { db, vault, providers }: Known,
  { owner: { id } }: LogCaller,
): Promise<{ services: ServiceView[] }> => {
  const { known, callsign } = await db.read(() => loadAccounts(id));
  return {
    services: SERVICES.map((source) => toServiceView(providers[source], vault, getStanding(known, source), callsign)),
  };
};

function* loadAccounts(id: number): Unit<{ known: stored.StoredCredentials[]; callsign: string | null }> {
  return { known: yield* stored.list(id), callsign: (yield* users.get(id)).callsign };
}

const getStanding = (known: readonly stored.StoredCredentials[], source: Service) =>
  known.find((one) => one.source === source) ?? null;

/** A service with all its settings. */
export interface ServiceSetup extends Omit<ServiceView, "fields"> {
  help: string;
  fields: readonly CredentialField[];
  schedule: ServiceSchedule;
}

/** The services with their schedules, for the dashboard and the settings. */
export const serviceSetups = async (
  { db, vault, providers }: Known,
  { owner: { id } }: LogCaller,
): Promise<ServiceSetup[]> => {
  const { known, callsign, schedule } = await db.read(function* () {
    return { ...(yield* loadAccounts(id)), schedule: yield* scheduleOf(id) };
  });
  return SERVICES.map((source) => {
    const provider = providers[source];
    const { help, fields } = provider;
    return {
      ...toServiceView(provider, vault, getStanding(known, source), callsign),
      help,
      fields,
      schedule: schedule[source],
    };
  });
};

/** Replaces credentials. A service that waited for them is scheduled again. */
export const setCredentials = (
  world: Pick<World, "db" | "clock" | "vault" | "providers">,
  caller: LogCaller,
  source: Service,
  given: Record<string, unknown>,
  client?: RequestOrigin,
): Promise<ServiceView> => set(world, caller.owner.id, source, given, getRequestOrigin(caller, client));

/** Deletes credentials and stops the schedule. */
export const clearCredentials = (
  world: Pick<World, "db" | "clock">,
  caller: LogCaller,
  source: Service,
  client?: RequestOrigin,
): Promise<void> => clear(world, caller.owner.id, source, getRequestOrigin(caller, client));

/** In a shell there is no address, and the operator acts instead of the user. */
const getRequestOrigin = ({ by }: LogCaller, client: RequestOrigin = {}): RequestOrigin =>
  by === "operator" ? { by: OPERATOR.name } : client;

/** Asks the service whether it accepts the stored credentials. */
export const testCredentials = (
  world: Parameters<typeof test>[0],
  { owner: { id } }: LogCaller,
  source: Service,
  signal?: AbortSignal,
): Promise<ServiceView> => test(world, id, source, signal);
