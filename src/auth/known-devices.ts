import type { World } from "../world.ts";

type Deps = Pick<World, "vault" | "random">;

const MAX_USERS_OF_DEVICE = 5;
const BETWEEN = "~";

const sign = ({ vault }: Pick<World, "vault">, userId: number, id: string): string =>
  vault.fingerprint("device", `${userId}.${id}`);

/** The id under which a browser signed in as this user before; null if it did not. */
export const findDevice = (deps: Pick<World, "vault">, userId: number, cookies: readonly string[]): string | null => {
  for (const mark of cookies.flatMap((cookie) => cookie.split(BETWEEN, MAX_USERS_OF_DEVICE))) {
    const [user, id = "", signature = ""] = mark.split(".");
    const expected = sign(deps, userId, id);
    if (user !== String(userId) || signature.length !== expected.length) continue;
    if (crypto.timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return id;
  }
  return null;
};

/** The cookie of a browser after a sign-in. It grants nothing: it only keeps strangers' guesses apart from its user's. */
export const addDevice = (deps: Deps, userId: number, cookies: readonly string[]): string => {
  const id = findDevice(deps, userId, cookies) ?? Buffer.from(deps.random(12)).toString("hex");
  const others = cookies
    .flatMap((cookie) => cookie.split(BETWEEN, MAX_USERS_OF_DEVICE))
    .filter((mark) => /^\d{1,15}\.[0-9a-f]{24}\.[0-9a-f]{64}$/.test(mark) && !mark.startsWith(`${userId}.`));
  return [`${userId}.${id}.${sign(deps, userId, id)}`, ...others].slice(0, MAX_USERS_OF_DEVICE).join(BETWEEN);
};
