import type { Radio, RadioState } from "../../domain/radio/radio.ts";
import type { RowOf } from "../engine/rows.ts";
import { databaseNow, exists, many, one, run, standalone, type Unit } from "../engine/unit.ts";

const MAX_RADIOS_PER_USER = 20;

type Row = RowOf<"radios", "id" | "state" | "updatedAt">;

const toRadio = ({ id, state, updatedAt }: Row): Radio => ({ ...(JSON.parse(state) as RadioState), id, updatedAt });

export function* list(userId: number): Unit<Radio[]> {
  const rows = yield* many<Row>`
    SELECT id, state, updated_at AS "updatedAt" FROM radios WHERE user_id = ${userId} ORDER BY updated_at, id`;
  return rows.map(toRadio);
}

/** Stores the state of a radio. If the user has too many radios, the one updated longest ago is replaced. */
export const update = (userId: number, state: RadioState, now: number): Unit<{ radio: Radio; isNew: boolean }> =>
  standalone(store(userId, state, now));

function* store(userId: number, state: RadioState, now: number): Unit<{ radio: Radio; isNew: boolean }> {
  const isKnown = yield* exists`radios WHERE user_id = ${userId} AND name = ${state.name}`;
  const row = yield* one<Row>`
    INSERT INTO radios (user_id, name, state, updated_at)
    VALUES (${userId}, ${state.name}, ${JSON.stringify(state)}, ${databaseNow(now)})
    ON CONFLICT (user_id, name) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at
    RETURNING id, state, updated_at AS "updatedAt"`;
  if (!isKnown) yield* makeRoom(userId);
  return { radio: toRadio(row), isNew: !isKnown };
}

const makeRoom = (userId: number): Unit<void> =>
  run`
    DELETE FROM radios WHERE id IN (
      SELECT id FROM radios WHERE user_id = ${userId} ORDER BY updated_at DESC, id DESC
      LIMIT 1000 OFFSET ${MAX_RADIOS_PER_USER})`;
