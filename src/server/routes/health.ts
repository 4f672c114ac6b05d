import { Elysia } from "elysia";
import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import * as users from "../../storage/users.ts";

/** For whatever watches the server: is the process alive, and can it do its work? */
export const health = ({ db, log }: Pick<App, "db" | "log">) =>
  new Elysia()
    .get("/healthz", () => ({ status: "ok", version }))
    .get("/readyz", async ({ set }) => {
      const database = await db.write(users.touch).then(
        () => true,
        (error) => {
          log.warn("readiness.failed", { error });
          return false;
        },
      );
      if (!database) set.status = 503;
      return { ready: database, checks: { database } };
    });
