import { lazy } from "../kernel/lazy.ts";

/** The content of a session token. It only refers to the session's row. */
export interface Claims {
  sessionId: string;
  userId: number;
  /** The administrator who impersonates the user. */
  actorId: number | null;
  expiresAt: number;
}

export interface SessionTokens {
  sign(claims: Claims): Promise<string>;
  /**
   * Returns null unless it is a token of this installation. Does not check whether the session exists or has expired.
   */
  verify(token: string): Promise<Claims | null>;
}

const ISSUER = "qsolog";
const AUDIENCE = "qsolog-session";
const ALGORITHM = "HS256";
const TOKENS_REMEMBERED = 2_000;
/** Expired tokens are accepted here, because the caller explains why the session ended. */
const LONG_AGO = new Date(0);

/** Loaded at the first sign-in, or when the server has started. */
export const loadTokens = () => import("@elysiajs/jwt");

export const createSessionTokens = (key: Uint8Array): SessionTokens => {
  const signer = lazy(async () => {
    const { jwt } = await loadTokens();
    return jwt({ secret: key, alg: ALGORITHM, iss: ISSUER, aud: AUDIENCE }).decorator.jwt;
  });
  const verified = new Map<string, Claims>();

  const read = async (token: string): Promise<Claims | null> => {
    const { verify } = await signer();
    const payload = await verify(token, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      requiredClaims: ["exp", "sub", "jti"],
      currentDate: LONG_AGO,
    });
    if (payload === false) return null;
    const { sub, jti, exp, act } = payload as Record<string, unknown>;
    const userId = Number(sub);
    const actorId = act === undefined ? null : Number(act);
    if (typeof jti !== "string" || typeof exp !== "number" || !Number.isInteger(userId)) return null;
    return { sessionId: jti, userId, actorId, expiresAt: exp * 1000 };
  };

  return {
    async sign({ sessionId, userId, actorId, expiresAt }) {
      const { sign } = await signer();
      return sign({
        jti: sessionId,
        sub: String(userId),
        exp: Math.floor(expiresAt / 1000),
        iat: false,
        ...(actorId === null ? {} : { act: String(actorId) }),
      });
    },
    /** Verified tokens are cached. */
    async verify(token) {
      const known = verified.get(token);
      if (known) return known;
      const claims = await read(token);
      if (!claims) return null;
      if (verified.size >= TOKENS_REMEMBERED) verified.delete(verified.keys().next().value!);
      verified.set(token, claims);
      return claims;
    },
  };
};
