import type { Config } from "../../config.ts";
import { DAY, MINUTE } from "../../kernel/clock.ts";
import { cookie, cookiesOf } from "../http/cookies.ts";

const VISIT_COOKIE = "qsolog_visit";
const VISIT_ENDS_AFTER = 30 * MINUTE;
const REMEMBERED = 365 * DAY;

/** The end of the previous visit, and the cookie that remembers it. A visit ends half an hour after its last page. */
export const lastVisit = (
  config: Pick<Config, "baseUrl">,
  request: Request,
  userId: number,
  now: number,
): { since: number | null; cookie: string } => {
  const [whose, before, seen] = (cookiesOf(config, request, VISIT_COOKIE)[0] ?? "").split(".").map(Number);
  const isOwn = whose === userId && before !== undefined && seen !== undefined && seen <= now;
  const since = !isOwn ? null : now - seen > VISIT_ENDS_AFTER ? seen : before || null;
  return { since, cookie: cookie(config, VISIT_COOKIE, `${userId}.${since ?? 0}.${now}`, REMEMBERED) };
};
