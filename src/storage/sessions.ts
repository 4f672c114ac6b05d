import { run, type Unit } from "./unit.ts";

export function* endAllOf(userId: number): Unit<void> {
  yield* run`DELETE FROM sessions WHERE user_id = ${userId}`;
}
