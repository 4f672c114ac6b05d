import { Type } from "typebox";
import { changeSchedule, schedule, schedulerStatus } from "../../logbook/schedule.ts";
import { route } from "../http/route.ts";
import { Ms, only, orNull, ServiceWord, SettingsChangeShape, SettingsShape } from "../http/shapes.ts";

export const autoSyncRoutes = [
  route("GET /auto-sync/settings", {
    name: "getSchedule",
    summary: "Get your auto-sync settings",
    answer: SettingsShape,
    handle: ({ app, asker }) => schedule(app, asker),
  }),
  route("PUT /auto-sync/settings", {
    name: "updateSchedule",
    summary: "Change your auto-sync settings",
    description: "Send any part; the answer is the whole.",
    body: SettingsChangeShape,
    answer: SettingsShape,
    handle: ({ app, asker, body }) => changeSchedule(app, asker, body),
  }),
  route("GET /auto-sync/scheduler/status", {
    name: "getSchedulerStatus",
    summary: "Get the scheduler's state and your upcoming syncs",
    answer: only({
      running: Type.Boolean(),
      now: Ms,
      tickSeconds: Type.Integer(),
      lastTickAt: orNull(Ms),
      activeJobs: Type.Integer(),
      upcoming: Type.Array(only({ source: ServiceWord, nextSyncAt: Ms, overdue: Type.Boolean() })),
    }),
    handle: ({ app, asker }) => schedulerStatus(app, asker),
  }),
];
