import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import type { Config } from "../../config.ts";
import { defineWork } from "../../storage/engine/database.ts";
import type { Passkey } from "../../storage/people/passkeys.ts";
import type { Vault } from "../../kernel/vault.ts";
import type { World } from "../../world.ts";

/** The browser's answer, unverified. */
export type PasskeyAnswer = Readonly<Record<string, unknown>>;

/** The relying party of passkeys. A browser uses a passkey only there. */
interface RelyingParty {
  id: string;
  origin: string;
}

const SIGNED_BY_EDDSA_ES256_RS256 = [-8, -7, -257];
const PATIENCE_MS = 300_000;
const MAX_TRANSPORTS = 10;

/** Null where browsers do not support passkeys: at an IP address, and over plain HTTP except on localhost. */
export const findRelyingParty = (
  { baseUrl }: Pick<Config, "baseUrl">,
  { host }: { host?: string | null | undefined },
): RelyingParty | null => {
  const address = baseUrl ?? `http://${host}`;
  if (!URL.canParse(address)) return null;
  const { protocol, hostname, origin } = new URL(address);
  const isHere = hostname === "localhost";
  if (baseUrl === null && !isHere) return null;
  if (protocol !== "https:" && !isHere) return null;
  return /^[\d.]+$|:/.test(hostname) ? null : { id: hostname, origin };
};

const getBinding = ({ userId, credentialId }: Pick<Passkey, "userId" | "credentialId">) => ({
  userId,
  source: "passkey",
  account: credentialId,
});

export const sealKey = (vault: Vault, passkey: Pick<Passkey, "userId" | "credentialId">, key: string): Uint8Array =>
  vault.seal(key, getBinding(passkey));

const named = (passkeys: readonly Passkey[]) =>
  passkeys.map(({ credentialId: id, transports }) => ({ type: "public-key" as const, id, transports }));

/** The options for using one of these passkeys. */
export const useOptions = (place: RelyingParty, passkeys: readonly Passkey[], challenge: string) => ({
  challenge,
  rpId: place.id,
  allowCredentials: named(passkeys),
  userVerification: "preferred" as const,
  timeout: PATIENCE_MS,
});

export type UseOptions = ReturnType<typeof useOptions>;

/** The options for creating a passkey in addition to these. */
export const createOptions = (
  vault: Vault,
  place: RelyingParty,
  user: { id: number; username: string },
  passkeys: readonly Passkey[],
  challenge: string,
) => ({
  challenge,
  rp: { id: place.id, name: "qsolog" },
  user: {
    id: Buffer.from(vault.fingerprint("passkeys", String(user.id)), "hex").toString("base64url"),
    name: user.username,
    displayName: user.username,
  },
  pubKeyCredParams: SIGNED_BY_EDDSA_ES256_RS256.map((alg) => ({ type: "public-key" as const, alg })),
  excludeCredentials: named(passkeys),
  authenticatorSelection: { residentKey: "preferred" as const, userVerification: "preferred" as const },
  attestation: "none" as const,
  timeout: PATIENCE_MS,
});

export type MakeOptions = ReturnType<typeof createOptions>;

/** The challenge that an answer claims to be for. It is only proved by the signature. */
export const readChallenge = ({ response }: PasskeyAnswer): string | null => {
  try {
    const { clientDataJSON } = response as { clientDataJSON: string };
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
};

interface Making {
  answer: PasskeyAnswer;
  challenge: string;
  place: RelyingParty;
}

interface Using extends Making {
  passkey: { id: string; key: string; counter: number };
}

/** Loaded with the first passkey, in a worker thread, because it is large. */
const loadVerifier = () => import("@simplewebauthn/server");

const verifyUse = async ({ answer, challenge, place, passkey }: Using): Promise<{ counter: number } | null> => {
  const { verifyAuthenticationResponse } = await loadVerifier();
  const { id, key, counter } = passkey;
  const publicKey = new Uint8Array(Buffer.from(key, "base64url"));
  return verifyAuthenticationResponse({
    response: answer as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.id,
    credential: { id, publicKey, counter },
    requireUserVerification: false,
  }).then(
    ({ verified, authenticationInfo }) => (verified ? { counter: authenticationInfo.newCounter } : null),
    () => null,
  );
};

interface Made {
  id: string;
  key: string;
  counter: number;
  transports: string[];
}

const verifyMaking = async ({ answer, challenge, place }: Making): Promise<Made | null> => {
  const { verifyRegistrationResponse } = await loadVerifier();
  return verifyRegistrationResponse({
    response: answer as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: place.origin,
    expectedRPID: place.id,
    requireUserVerification: false,
  }).then(
    ({ verified, registrationInfo }) => {
      if (!verified) return null;
      const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
      const known = transports.filter((one) => typeof one === "string").slice(0, MAX_TRANSPORTS);
      return { id, key: Buffer.from(publicKey).toString("base64url"), counter, transports: known };
    },
    () => null,
  );
};

/** Verifies answers in a worker thread. */
const verifyInWorker = <Asked, Outcome>(name: string, verify: (asked: Asked) => Promise<Outcome>) =>
  defineWork(
    name,
    "read",
    function* (_asked: Asked, outcome: Outcome) {
      return outcome;
    },
    verify,
  );

export const useWork = verifyInWorker("passkeys.use", verifyUse);
export const makeWork = verifyInWorker("passkeys.make", verifyMaking);

/** The new counter of a passkey that signed this challenge; null if the signature is invalid. */
export const assertUse = async (
  { db, vault }: Pick<World, "db" | "vault">,
  asked: Making,
  passkey: Passkey,
): Promise<number | null> => {
  const { credentialId: id, counter } = passkey;
  const key = vault.open(passkey.sealed, getBinding(passkey));
  const outcome = await db.inWorker(useWork, { ...asked, passkey: { id, key, counter } }, { userId: null });
  return outcome?.counter ?? null;
};
