import { adminPages } from "../admin/pages.tsx";
import { awardPages } from "../awards/pages.tsx";
import { dashboardPages } from "../dashboard/pages.tsx";
import { goPages } from "../go/pages.tsx";
import { jobPages } from "../jobs/pages.tsx";
import { reconcilePages } from "../reconcile/pages.tsx";
import { repairPages } from "../repairs/pages.tsx";
import { logPages } from "../contacts/pages.tsx";
import type { PageRoute } from "./page-route.ts";
import { factorPages } from "../factors/pages.ts";
import { settingsPages } from "../settings/pages.tsx";
import { statisticsPages } from "../statistics/pages.tsx";
import { elsewherePages } from "../sign-in/elsewhere.tsx";
import { signInPages } from "../sign-in/pages.tsx";

/** Every page and every form. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  ...signInPages,
  ...elsewherePages,
  ...dashboardPages,
  ...goPages,
  ...jobPages,
  ...repairPages,
  ...reconcilePages,
  ...logPages,
  ...awardPages,
  ...statisticsPages,
  ...settingsPages,
  ...factorPages,
  ...adminPages,
];
