import { expect, test } from "bun:test";
import { testApp } from "../support/app.ts";

test("the server answers every kind of address before its jobs start", async () => {
  const app = await testApp();
  const bob = await app.as(app.bob);

  const login = await app.visitor.get("/login?next=%2F");
  const assets = [...login.text.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`);

  expect((await app.visitor.get("/")).headers.get("location")).toBe("/login?next=%2F");
  expect((await app.visitor.get("/healthz")).status).toBe(200);
  expect(login.text).toContain('name="password"');
  expect(assets.length).toBeGreaterThan(1);
  for (const path of assets) expect([path, (await app.visitor.get(path)).status]).toEqual([path, 200]);
  expect((await bob.get("/api/stats")).body).toMatchObject({ total: 0 });
  expect((await bob.delete("/api/stats")).status).toBe(404);
  expect((await app.visitor.get("/api/stats")).status).toBe(401);
  expect((await app.visitor.get("/nowhere")).status).toBe(404);
});

test("below a base path every address is below it, and the health checks also answer without it", async () => {
  const app = await testApp({ env: { QSOLOG_BASE_URL: "http://log.example.org/radio" } });
  const statusOf = async (path: string) => (await app.visitor.get(path)).status;

  expect([await statusOf("/radio/login"), await statusOf("/login")]).toEqual([200, 404]);
  expect([await statusOf("/radio/readyz"), await statusOf("/readyz")]).toEqual([200, 200]);
  expect((await app.visitor.get("/radio/log")).headers.get("location")).toBe("/radio/login?next=%2Flog");
});
