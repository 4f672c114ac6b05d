import { Type } from "typebox";
import { changeSchedule, schedule, schedulerStatus } from "../../logbook/schedule.ts";
import { route } from "../http/route.ts";
import { Ms, only, orNull, ServiceWord, SettingsChangeShape, SettingsShape } from "../http/shapes.ts";

export const autoSyncRoutes = [
  route(
    {
      method: "GET",
      path: "/auto-sync/settings",
      access: "user",
      summary: "The caller's schedule",
      answer: SettingsShape,
    },
    ({ app, asker }) => schedule(app, asker),
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
    ({ app, asker, body }) => changeSchedule(app, asker, body),
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
    ({ app, asker }) => schedulerStatus(app, asker),
  ),
];
