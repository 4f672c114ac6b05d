import { Type } from "typebox";
import { changeSchedule, schedule, schedulerStatus } from "../../logbook/schedule.ts";
import { route } from "../http/route.ts";
import { Ms, only, orNull, ServiceWord, SettingsChangeShape, SettingsShape } from "../http/shapes.ts";

export const autoSyncRoutes = [
  route(
    {
      name: "getSchedule",
      method: "GET",
      path: "/auto-sync/settings",
      access: "user",
      summary: "Get your auto-sync settings",
      answer: SettingsShape,
    },
    ({ app, asker }) => schedule(app, asker),
  ),
  route(
    {
      name: "updateSchedule",
      method: "PUT",
      path: "/auto-sync/settings",
      access: "user",
      summary: "Change your auto-sync settings",
      description: "Send any part; the answer is the whole.",
      body: SettingsChangeShape,
      answer: SettingsShape,
    },
    ({ app, asker, body }) => changeSchedule(app, asker, body),
  ),
  route(
    {
      name: "getSchedulerStatus",
      method: "GET",
      path: "/auto-sync/scheduler/status",
      access: "user",
      summary: "Get the scheduler's state and your upcoming syncs",
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
