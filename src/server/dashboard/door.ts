import { Type } from "../http/schema-types.ts";
import { entrancePage } from "../pages/page-route.ts";
import { only } from "../http/shapes.ts";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });

/** Whoever comes first comes here. Who is not signed in need not wait for what it shows. */
export const dashboardDoor = entrancePage({ path: "/", access: "user", query: DoneQuery }, async (call) => {
  const app = await call.app.whole();
  const { dashboardPage } = await import("./pages.tsx");
  return dashboardPage({ ...call, app }, { done: call.query.done });
});
