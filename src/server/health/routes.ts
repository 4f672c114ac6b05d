import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import { AppError } from "../../domain/errors.ts";
import { MINUTE } from "../../domain/clock.ts";
import * as users from "../../storage/users.ts";
import { bearerOf } from "../bearer.ts";
import type { Address } from "../client-address.ts";
import { metricsOf } from "./metrics.ts";

const TICK_IS_LATE_AFTER = 3 * MINUTE;
const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** For whatever watches the server: is the process alive, can it do its work, and how does it fare? */
export const healthEndpoints = (app: App) => [
  { method: "GET", path: "/healthz", handle: () => Response.json({ status: "ok", version }) },
  { method: "GET", path: "/readyz", handle: () => readiness(app) },
  {
    method: "GET",
    path: "/metrics",
    handle: async (request: Request, _params: Record<string, string>, address: Address) => {
      await assertMayMeasure(app, request, address);
      return new Response(await metricsOf(app), { headers: { "content-type": "text/plain; version=0.0.4" } });
    },
  },
];

const readiness = async ({ db, log, clock, scheduler, startedAt }: App): Promise<Response> => {
  const database = await db.write(users.touch).then(
    () => true,
    (error) => {
      log.warn("readiness.failed", { error });
      return false;
    },
  );
  const tick = clock() - (scheduler.lastTickAt ?? startedAt) <= TICK_IS_LATE_AFTER;
  const ready = database && tick;
  return Response.json({ ready, checks: { database, tick } }, { status: ready ? 200 : 503 });
};

/** This machine itself, or an administrator's token. */
const assertMayMeasure = async (app: App, request: Request, address: Address): Promise<void> => {
  const isForwarded = request.headers.has("x-forwarded-for") || request.headers.has("forwarded");
  if (LOOPBACK.test(address()) && !isForwarded) return;
  const presented = { bearer: bearerOf(request), sessionCookie: null, impersonationCookie: null };
  const caller = await app.auth.callerOf(presented);
  if (!caller) throw new AppError("unauthenticated", "Sign in first.");
  if (!caller.user.isAdmin || caller.impersonatedBy) {
    throw new AppError("forbidden", "Only administrators may do this.", { rule: "not_admin_caller" });
  }
};
