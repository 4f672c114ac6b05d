import { dashboardDoor } from "./dashboard/door.ts";
import type { Entrance } from "../app.ts";
import type { PageRoute } from "./pages/page-route.ts";
import { signInPages } from "./sign-in/pages.tsx";

/** Every page and form that answers before the features are loaded: what somebody meets who is not signed in. */
export const ENTRANCE_PAGES: readonly PageRoute<Entrance>[] = [...signInPages, dashboardDoor];
