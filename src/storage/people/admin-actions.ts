import type { Actor, AdminAction, AdminActionName } from "../../domain/people/actor.ts";
import { redactShapes } from "../../kernel/redact.ts";
import { countRows, many, run, sql, where, type Sql, type Unit } from "../engine/unit.ts";

export interface ActionFilter {
  admin?: string;
  action?: string;
  target?: string;
  from?: number;
  /** Exclusive. */
  to?: number;
  beforeId?: number;
  limit: number;
}

export const record = (
  at: number,
  actor: Actor,
  action: AdminActionName,
  target: { id: number | null; username: string } | null,
  details: Record<string, unknown> = {},
): Unit<void> =>
  run`
    INSERT INTO admin_actions (at, admin_id, admin_name, via, action, target_id, target_name, details)
    VALUES (${at}, ${actor.id}, ${actor.name}, ${actor.via}, ${action}, ${target?.id ?? null},
            ${target?.username ?? null}, ${redactShapes(JSON.stringify(details))})`;

/** Newest first. */
export function* list(filter: ActionFilter): Unit<{ actions: AdminAction[]; total: number }> {
  const { beforeId, limit } = filter;
  const matching = buildConditions(filter);
  const page = [...matching, beforeId === undefined ? null : sql`id < ${beforeId}`];
  const rows = yield* many<Omit<AdminAction, "details"> & { details: string }>`
    SELECT id, at, admin_name AS admin, via, action, target_name AS target, details
    FROM admin_actions ${where(page)} ORDER BY id DESC LIMIT ${limit}`;
  const total = yield* countRows`admin_actions ${where(matching)}`;
  return { actions: rows.map((row) => ({ ...row, details: JSON.parse(row.details) })), total };
}

const buildConditions = ({ admin, action, target, from, to }: ActionFilter): (Sql | null)[] => [
  admin === undefined ? null : sql`admin_name = ${admin}`,
  action === undefined ? null : sql`action = ${action}`,
  target === undefined ? null : sql`target_name = ${target}`,
  from === undefined ? null : sql`at >= ${from}`,
  to === undefined ? null : sql`at < ${to}`,
];
