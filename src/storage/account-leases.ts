import type { Service } from "../domain/source.ts";
import { many, run, type Unit } from "./unit.ts";

export interface Lease {
  source: Service;
  loginHash: string;
}

/** Takes the right to ask for an external account; false where somebody else has it. */
export function* take(source: Service, loginHash: string, workerId: string, now: number): Unit<boolean> {
  const taken = yield* run`
    INSERT INTO account_leases (source, login_hash, worker_id, taken_at)
    VALUES (${source}, ${loginHash}, ${workerId}, ${now}) ON CONFLICT DO NOTHING`;
  return taken > 0;
}

export function* release(source: Service, loginHash: string, workerId: string): Unit<void> {
  yield* run`
    DELETE FROM account_leases
    WHERE source = ${source} AND login_hash = ${loginHash} AND worker_id = ${workerId}`;
}

export function* listOf(workerId: string): Unit<Lease[]> {
  return yield* many<Lease>`
    SELECT source, login_hash AS "loginHash" FROM account_leases WHERE worker_id = ${workerId}`;
}
