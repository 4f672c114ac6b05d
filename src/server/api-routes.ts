import type { Route } from "./http/route.ts";
import { adminRoutes } from "./admin/routes.ts";
import { authRoutes } from "./sign-in/routes.ts";
import { awardRoutes } from "./awards/routes.ts";
import { autoSyncRoutes } from "./schedule/routes.ts";
import { factorRoutes } from "./factors/routes.ts";
import { jobRoutes } from "./jobs/routes.ts";
import { reconcileRoutes } from "./reconcile/routes.ts";
import { repairRoutes } from "./repairs/routes.ts";
import { meRoutes } from "./account/routes.ts";
import { contactRoutes } from "./contacts/routes.ts";
import { feedRoutes } from "./feeds/routes.ts";
import { needRoutes } from "./need/routes.ts";
import { noticeRoutes } from "./notices/routes.ts";
import { serviceRoutes } from "./services/routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";

const routes = [
  ...authRoutes,
  ...meRoutes,
  ...factorRoutes,
  ...serviceRoutes,
  ...noticeRoutes,
  ...jobRoutes,
  ...repairRoutes,
  ...reconcileRoutes,
  ...contactRoutes,
  ...feedRoutes,
  ...needRoutes,
  ...statisticsRoutes,
  ...awardRoutes,
  ...autoSyncRoutes,
  ...adminRoutes,
];

/** Every route of the interface. */
export const API_ROUTES: readonly Route[] = routes;

/** Their types, for clients. */
export type ApiRoute = (typeof routes)[number];
