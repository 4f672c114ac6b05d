import type { World } from "../world.ts";

type Deps = Pick<World, "hashing" | "passwordCost">;

/** Two hashes at once at most: each takes a core and tens of megabytes for a moment. */
export const hashPassword = ({ hashing, passwordCost }: Deps, password: string): Promise<string> =>
  hashing.pass(() => Bun.password.hash(password, { algorithm: "argon2id", ...passwordCost }));

export const verifyPassword = ({ hashing }: Deps, password: string, hash: string): Promise<boolean> =>
  hashing.pass(() => Bun.password.verify(password, hash).catch(() => false));
