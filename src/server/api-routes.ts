import type { RouteGroups } from "./http/openapi.ts";
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

/** Every route of the interface, by resource. */
const groups = {
  "Signing in": authRoutes,
  Account: meRoutes,
  "Second factors": factorRoutes,
  Services: serviceRoutes,
  Notices: noticeRoutes,
  Jobs: jobRoutes,
  "Bulk edits": repairRoutes,
  Reconciling: reconcileRoutes,
  QSOs: contactRoutes,
  Feeds: feedRoutes,
  Needs: needRoutes,
  Statistics: statisticsRoutes,
  Awards: awardRoutes,
  "Auto-sync": autoSyncRoutes,
  Administration: adminRoutes,
};

export const API_GROUPS: RouteGroups = groups;
export const API_ROUTES: readonly Route[] = Object.values(groups).flat();

/** Types for clients. */
export type ApiRoute = (typeof groups)[keyof typeof groups][number];
