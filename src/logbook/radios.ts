import type { Radio, RadioState } from "../domain/radio/radio.ts";
import * as stored from "../storage/jobs/radios.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

/** The current state of radios. All processes on the database see it. */
export const radios = ({ db }: Pick<World, "db">, { owner: { id } }: LogCaller): Promise<Radio[]> =>
  db.read(() => stored.list(id));

/** Returns whether the radio is new. */
export const tellOfRadio = (
  { db, clock }: Pick<World, "db" | "clock">,
  { owner: { id } }: LogCaller,
  state: RadioState,
): Promise<{ radio: Radio; isNew: boolean }> => db.write(() => stored.update(id, state, clock()));
