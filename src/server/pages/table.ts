import { adminPages } from "./admin.tsx";
import { awardPages } from "./awards.tsx";
import { dashboardPages } from "./dashboard.tsx";
import { jobPages } from "./jobs.tsx";
import { logPages } from "./log.tsx";
import type { PageRoute } from "./page-route.ts";
import { settingsPages } from "./settings.tsx";
import { signInPages } from "./sign-in.tsx";

/** Every page and every form. */
export const PAGE_ROUTES: readonly PageRoute[] = [
  ...signInPages,
  ...dashboardPages,
  ...jobPages,
  ...logPages,
  ...awardPages,
  ...settingsPages,
  ...adminPages,
];
