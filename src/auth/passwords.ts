import { AppError } from "../kernel/errors.ts";
import { SemaphoreFull } from "../kernel/semaphore.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "hashing" | "passwordCost">;

const FULL_FOR_SECONDS = 5;

/** Limits parallel hashes, because each uses a core and tens of megabytes. */
const runInTurn = async <T>({ hashing }: Deps, lane: string, task: () => Promise<T>): Promise<T> => {
  try {
    return await hashing.run(task, lane);
  } catch (error) {
    if (!(error instanceof SemaphoreFull)) throw error;
    throw new AppError("unavailable", "Too many people are signing in right now. Try again in a few seconds.", {
      retryAfterSeconds: FULL_FOR_SECONDS,
    });
  }
};

/** `lane` is the queue of the client's address, so that one address does not delay others. */
export const hashPassword = (deps: Deps, password: string, lane = ""): Promise<string> =>
  runInTurn(deps, lane, () => Bun.password.hash(password, { algorithm: "argon2id", ...deps.passwordCost }));

/** `atTurn` can still refuse when the caller's turn comes, before anything is hashed. */
export const verifyPassword = (
  deps: Deps,
  password: string,
  hash: string,
  lane = "",
  atTurn = (verify: () => Promise<boolean>) => verify(),
): Promise<boolean> =>
  runInTurn(deps, lane, () => atTurn(() => Bun.password.verify(password, hash).catch(() => false)));
