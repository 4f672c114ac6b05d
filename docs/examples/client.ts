// It needs: npm install openapi-fetch; npx openapi-typescript http://localhost:7373/openapi/json -o qsolog.d.ts
import createClient from "openapi-fetch";
import type { paths } from "./qsolog.d.ts";

export const syncOrRollBack = async (baseUrl: string, username: string, password: string) => {
  const client = createClient<paths>({ baseUrl });
  const { data: signIn, error } = await client.POST("/api/auth/login", { body: { username, password } });
  if (!signIn || !("token" in signIn)) throw new Error(error?.error.message ?? "This account has a second factor.");
  const headers = { authorization: `Bearer ${signIn.token}` };
  const started = await client.POST("/api/sync/{source}", { params: { path: { source: "first" } }, body: {}, headers });
  if (started.error) throw new Error(started.error.error.message);
  let { job } = started.data;
  const thisJob = { params: { path: { id: job.id } }, headers };
  while (job.status === "pending" || job.status === "running") {
    await new Promise((resolve) => setTimeout(resolve, 100));
    job = (await client.GET("/api/jobs/{id}", thisJob)).data?.job ?? job;
  }
  const rolledBack = job.status === "failed" ? (await client.DELETE("/api/jobs/{id}", thisJob)).data : undefined;
  return { status: job.status, added: job.stats.added, deleted: rolledBack?.rollback.deleted ?? 0 };
};
