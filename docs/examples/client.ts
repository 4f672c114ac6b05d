// A typed client: signs in, syncs with LoTW, and rolls a failed sync back.
//   npm install openapi-fetch && npx openapi-typescript http://localhost:7373/openapi/json -o qsolog.d.ts
import createClient from "openapi-fetch";
import type { paths } from "./qsolog.d.ts";

export const syncOrRollBack = async (baseUrl: string, username: string, password: string) => {
  const visitor = createClient<paths>({ baseUrl });
  const { data: signIn, error } = await visitor.POST("/api/auth/login", { body: { username, password } });
  if (error) throw new Error(error.error.message);
  if (!("token" in signIn)) throw new Error("This account has a second factor. Use an API token.");

  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${signIn.token}` } });
  const params = { path: { source: "first" as const } };
  const started = await client.POST("/api/sync/{source}", { params, body: { confirm: true } });
  if (started.error) throw new Error(started.error.error.message);

  let { job } = started.data;
  while (job.status === "pending" || job.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { data } = await client.GET("/api/jobs/{id}", { params: { path: { id: job.id } } });
    if (data) job = data.job;
  }
  if (job.status !== "failed") return { status: job.status, added: job.stats.added, deleted: 0 };
  const { data } = await client.DELETE("/api/jobs/{id}", { params: { path: { id: job.id } } });
  return { status: job.status, added: job.stats.added, deleted: data?.rollback.deleted ?? 0 };
};
