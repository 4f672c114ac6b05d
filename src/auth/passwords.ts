import { AppError } from "../kernel/errors.ts";
import { SemaphoreFull } from "../kernel/semaphore.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "hashing" | "passwordCost">;

const FULL_FOR_SECONDS = 5;

/** One or two hashes at once: each takes a core and tens of megabytes for a moment. */
const inTurn = async <T>({ hashing }: Pick<Deps, "hashing">, lane: string, task: () => Promise<T>): Promise<T> => {
  try {
    return await hashing.pass(task, lane);
  } catch (error) {
    if (!(error instanceof SemaphoreFull)) throw error;
    throw new AppError("unavailable", "Too many people sign in at this moment. Try again in a few seconds.", {
      retryAfterSeconds: FULL_FOR_SECONDS,
    });
  }
};

/** The lane is where the request came from: one address does not make others wait. */
export const hashPassword = (deps: Deps, password: string, lane = ""): Promise<string> =>
  inTurn(deps, lane, () => Bun.password.hash(password, { algorithm: "argon2id", ...deps.passwordCost }));

/** At the head of the line `atTurn` may still refuse, before anything is hashed. */
export const verifyPassword = (
  deps: Pick<Deps, "hashing">,
  password: string,
  hash: string,
  lane = "",
  atTurn = (verify: () => Promise<boolean>) => verify(),
): Promise<boolean> => inTurn(deps, lane, () => atTurn(() => Bun.password.verify(password, hash).catch(() => false)));
