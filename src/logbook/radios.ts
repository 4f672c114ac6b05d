import type { Radio, RadioState } from "../domain/radio/radio.ts";
import * as stored from "../storage/jobs/radios.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";

/** What radios are set to at the moment; whoever was told, every program on the database knows it. */
export const radios = ({ db }: Pick<World, "db">, { id }: LogCaller): Promise<Radio[]> =>
  db.read(() => stored.list(id));

/** Says whether the radio was not known before. */
export const tellOfRadio = (
  { db, clock }: Pick<World, "db" | "clock">,
  { id }: LogCaller,
  state: RadioState,
): Promise<{ radio: Radio; isNew: boolean }> => db.write(() => stored.tell(id, state, clock()));
