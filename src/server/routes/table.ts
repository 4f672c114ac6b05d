import type { Route } from "../route.ts";
import { adminRoutes } from "./admin.ts";
import { authRoutes } from "./auth.ts";
import { awardRoutes } from "./awards.ts";
import { autoSyncRoutes } from "./auto-sync.ts";
import { jobRoutes } from "./jobs.ts";
import { meRoutes } from "./me.ts";
import { qsoRoutes } from "./qsos.ts";
import { serviceRoutes } from "./services.ts";
import { statisticsRoutes } from "./statistics.ts";

/** Every route of the interface. */
export const API_ROUTES: readonly Route[] = [
  ...authRoutes,
  ...meRoutes,
  ...serviceRoutes,
  ...jobRoutes,
  ...qsoRoutes,
  ...statisticsRoutes,
  ...awardRoutes,
  ...autoSyncRoutes,
  ...adminRoutes,
];
