import { expect, test } from "bun:test";
import { testApp, type TestApp } from "../support/app.ts";
import { testWorld, type TestWorld } from "../support/world.ts";

/** Two instances on one database, and a user who is signed in at one of them. */
const twoInstances = async () => {
  const here = await testApp();
  const there = await testApp({ world: await testWorld({ beside: here as unknown as TestWorld }), empty: true });
  return { here, there };
};

/** The same user at both instances, so that each has the user cached. */
const known = async (apps: readonly TestApp[], token: string, path: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (const app of apps) statuses.push((await app.withBearer(token).get(path)).status);
  return statuses;
};

test("a role, session, key or account that is removed at one instance is removed at the other", async () => {
  const { here, there } = await twoInstances();
  const both = [here, there];
  const ann = here.withBearer((await here.signIn(here.ann)).token);
  const { token } = await here.signIn(here.eve);
  await ann.post(`/api/admin/users/${here.eve.id}/promote`);
  const promoted = (await there.signIn(here.eve)).token;
  expect(await known(both, promoted, "/api/admin/users")).toEqual([200, 200]);

  await ann.post(`/api/admin/users/${here.eve.id}/demote`);
  expect((await known([there], promoted, "/api/admin/users"))[0]).not.toBe(200);

  expect(await known(both, token, "/api/me")).toEqual([200, 200]);
  await here.withBearer(token).post("/api/auth/logout");
  expect(await known([there], token, "/api/me")).toEqual([401]);

  const key = await here.withToken(here.bob, "read");
  expect(await known(both, key.token, "/api/qsos")).toEqual([200, 200]);
  await (await here.as(here.bob)).delete(`/api/me/tokens/${key.id}`);
  expect(await known([there], key.token, "/api/qsos")).toEqual([401]);

  const acting = (await ann.post(`/api/admin/users/${here.bob.id}/impersonate`)).body.token;
  expect(await known(both, acting, "/api/me")).toEqual([200, 200]);
  await here.withBearer(acting).post("/api/auth/impersonation/stop");
  expect(await known([there], acting, "/api/me")).toEqual([401]);

  const signedIn = (await there.signIn(here.bob)).token;
  expect(await known(both, signedIn, "/api/me")).toEqual([200, 200]);
  await ann.delete(`/api/admin/users/${here.bob.id}`);
  expect(await known([there], signedIn, "/api/me")).toEqual([401]);
});
