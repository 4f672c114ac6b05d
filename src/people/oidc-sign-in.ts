import type { Auth, Client, SignIn } from "../auth/auth.ts";
import type { Caller } from "../auth/caller.ts";
import type { Proved, Provider, Secrets } from "../auth/oidc/provider.ts";
import { openNote, sealNote } from "../auth/signed-cookie.ts";
import { AppError } from "../kernel/errors.ts";
import type { NewUser } from "../domain/people/user.ts";
import * as identities from "../storage/people/identities.ts";
import * as sessions from "../storage/people/sessions.ts";
import type { World } from "../world.ts";
import { linkIdentity, registerByIdentity, signInByIdentity } from "./identities.ts";

type Deps = Pick<World, "db" | "clock" | "config" | "log" | "vault"> & { auth: Auth; provider: Provider | null };

/** Why the browser is sent to the provider. */
export type SignInPurpose = "sign-in" | "confirm" | "link";

interface Flow {
  errand: SignInPurpose;
  /** The provider's URL. */
  url: string;
  secrets: Secrets;
  startedAt: number;
  next: string;
  /** The session to confirm or to link. */
  sessionId: string | null;
}

/** The result of coming back. */
export type Return =
  | { errand: SignInPurpose; next: string; signIn: SignIn | null }
  /** No user matches: an account can be created with this note. */
  | { errand: "register"; note: string; proved: Proved };

/** Starts a sign-in at the provider. Returns its URL and a note for the browser to keep. */
export const startOidcSignIn = async (
  deps: Deps,
  { errand, next, caller }: { errand: SignInPurpose; next: string; caller: Caller | null },
): Promise<{ url: string; note: string }> => {
  const startedAt = deps.clock();
  const { url, secrets } = await requireProvider(deps).begin({ isFresh: errand === "confirm" });
  const flow: Flow = { errand, url, secrets, startedAt, next, sessionId: caller?.sessionId ?? null };
  return { url, note: sealNote(deps, "flow", flow) };
};

/** The provider's URL for the sign-in that this browser has started; null if there is none. */
export const findPendingSignIn = (deps: Deps, notes: readonly string[]): string | null =>
  openNote<Flow>(deps, "flow", notes)?.url ?? null;

/** Handles the redirect back from the provider. */
export const finishOidcSignIn = async (
  deps: Deps,
  { notes, search, caller }: { notes: readonly string[]; search: string; caller: Caller | null },
  client: Client,
): Promise<Return> => {
  const provider = requireProvider(deps);
  const flow = openNote<Flow>(deps, "flow", notes);
  if (!flow) {
    const message = "This sign-in started in another browser or took longer than ten minutes. Try again.";
    throw new AppError("forbidden", message, { rule: "provider_refused" });
  }
  const proved = await verifyReturn(deps, provider, flow, search, client);
  const { errand, next } = flow;
  if (errand === "sign-in") {
    const signIn = await signInByIdentity({ ...deps, provider }, proved, client);
    return signIn ? { errand, next, signIn } : { errand: "register", note: sealNote(deps, "newcomer", proved), proved };
  }
  if (!caller || caller.impersonatedBy || caller.sessionId === null || caller.sessionId !== flow.sessionId) {
    throw new AppError("forbidden", "You were signed out, or signed in as another user. Start again.", {
      rule: "provider_refused",
    });
  }
  if (errand === "link") await linkIdentity(deps, caller, proved, provider.name, client);
  else await confirmBy(deps, provider, flow, proved, caller);
  return { errand, next, signIn: null };
};

/** Failures are rate limited because each costs a request to the provider. */
const verifyReturn = async (
  { auth }: Deps,
  provider: Provider,
  { secrets }: Flow,
  search: string,
  client: Client,
): Promise<Proved> => {
  await auth.assertMayReturn(client);
  try {
    return await provider.finish(search, secrets);
  } catch (error) {
    if (error instanceof AppError && error.rule === "provider_refused") await auth.returnFailed(client);
    throw error;
  }
};

const confirmBy = async (
  { db, clock }: Deps,
  provider: Provider,
  { startedAt }: Flow,
  proved: Proved,
  caller: Caller,
): Promise<void> => {
  provider.assertFresh(proved, startedAt);
  const owner = await db.read(() => identities.find(proved));
  if (owner?.user.id !== caller.user.id) {
    const message = `You signed in to ${provider.name} with an account that is not linked to ${caller.user.username}.`;
    throw new AppError("forbidden", message, { rule: "provider_refused" });
  }
  const { sessionId } = caller;
  if (sessionId !== null) await db.write(() => sessions.confirm(sessionId, Math.min(proved.provedAt, clock())));
};

/** Who can register with this note; null if it has expired. */
export const openNewcomer = (deps: Deps, notes: readonly string[]): Proved | null =>
  openNote<Proved>(deps, "newcomer", notes);

/** Creates the account that a new user asked for. */
export const createNewcomer = (
  deps: Deps,
  proved: Proved,
  wanted: Pick<NewUser, "username" | "callsign" | "email">,
  client: Client,
): Promise<SignIn> => registerByIdentity({ ...deps, provider: requireProvider(deps) }, proved, wanted, client);

const requireProvider = ({ provider }: Deps): Provider => {
  if (provider) return provider;
  throw new AppError("conflict", "Single sign-on is not configured on this server.", { rule: "not_configured" });
};
