import { formatUtc } from "../../kernel/time-text.ts";
import { ACTION_WORDS, type AdminAction } from "./actor.ts";

export const VIA_WORDS: Record<AdminAction["via"], string> = {
  web: "web",
  api: "API",
  cli: "command line",
  impersonation: "acting as the user",
};

export const describeDetails = (details: Readonly<Record<string, unknown>>): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/** An action of the log, or acting as a user from its start to its end in one. */
export interface ToldAction extends AdminAction {
  /** When the administrator stopped acting as the user. */
  endedAt: number | null;
}

/** Joins the end of acting as a user to its start. The actions are newest first. */
export const joinActing = (actions: readonly AdminAction[]): ToldAction[] => {
  const ends = new Map<string, AdminAction>();
  const joined = new Set<number>();
  const told = actions.map((action): ToldAction => {
    const pair = `${action.admin} ${action.target}`;
    if (action.action === "stop_impersonation") ends.set(pair, action);
    if (action.action !== "impersonate") return { ...action, endedAt: null };
    const end = ends.get(pair);
    ends.delete(pair);
    if (end) joined.add(end.id);
    return { ...action, endedAt: end?.at ?? null };
  });
  return told.filter(({ id }) => !joined.has(id));
};

/** What was done, with the user it was done to: "acted as cleo, 15:29 to 15:32 UTC". */
export const describeAction = ({ action, target, at, endedAt, details }: ToldAction): string => {
  const refused = details.refused ? " (refused)" : "";
  if (endedAt === null) return `${ACTION_WORDS[action] ?? action}${target === null ? "" : ` ${target}`}${refused}`;
  const [from, to] = [formatUtc(at), formatUtc(endedAt)];
  const end = from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to;
  return `acted as ${target}, ${from.slice(11)} to ${end} UTC`;
};
