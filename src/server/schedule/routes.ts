import { Type } from "../schema-types.ts";
import { TICK_SECONDS } from "../../auto-sync/scheduler.ts";
import { changeSettings, settingsOf, upcomingOf } from "../../logbook/schedule.ts";
import * as syncJobs from "../../storage/sync-jobs.ts";
import { route } from "../route.ts";
import { Ms, only, orNull, ServiceWord, SettingsChangeShape, SettingsShape } from "../shapes.ts";

export const autoSyncRoutes = [
  route(
    {
      method: "GET",
      path: "/auto-sync/settings",
      access: "user",
      summary: "The caller's schedule",
      answer: SettingsShape,
    },
    ({ app, caller }) => settingsOf(app, caller.user.id),
  ),
  route(
    {
      method: "PUT",
      path: "/auto-sync/settings",
      access: "user",
      summary: "Change any part of the schedule",
      body: SettingsChangeShape,
      answer: SettingsShape,
    },
    ({ app, caller, body }) => changeSettings(app, caller.user.id, body),
  ),
  route(
    {
      method: "GET",
      path: "/auto-sync/scheduler/status",
      access: "user",
      summary: "The scheduler, and the caller's syncs to come",
      answer: only({
        running: Type.Boolean(),
        now: Ms,
        tickSeconds: Type.Integer(),
        lastTickAt: orNull(Ms),
        activeJobs: Type.Integer(),
        upcoming: Type.Array(only({ source: ServiceWord, nextSyncAt: Ms, overdue: Type.Boolean() })),
      }),
    },
    async ({ app, caller }) => {
      const now = app.clock();
      return {
        running: app.scheduler.isRunning,
        now,
        tickSeconds: TICK_SECONDS,
        lastTickAt: app.scheduler.lastTickAt,
        activeJobs: await app.db.read(() => syncJobs.countActive(caller.user.id)),
        upcoming: await upcomingOf(app, caller.user.id, now),
      };
    },
  ),
];
