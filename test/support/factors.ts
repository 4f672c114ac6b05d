import { TOTP } from "otpauth";
import { beginApp, confirmApp } from "../../src/people/factors.ts";
import type { User } from "../../src/domain/people/user.ts";
import type { TestWorld } from "./world.ts";

const STEP_MS = 30_000;

/** The code of an authenticator app at a time. */
export const codeAt = (key: string, at: number): string => new TOTP({ secret: key }).generate({ timestamp: at });

/** A user's authenticator app and its recovery codes. */
export const anApp = async (world: Pick<TestWorld, "db" | "clock" | "random" | "vault" | "config">, user: User) => {
  const { key } = await beginApp(world, user);
  const recoveryCodes = await confirmApp(world, { user, sessionId: null }, codeAt(key, world.clock()));
  return {
    key,
    recoveryCodes,
    /** A code works once, so time advances to the next one. */
    next: () => {
      world.clock.advance(STEP_MS);
      return codeAt(key, world.clock());
    },
  };
};
