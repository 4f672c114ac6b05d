import { expect, test } from "bun:test";
import { clearCredentials, setCredentials } from "../../src/sync/source/credentials.ts";
import { aLiveWorld, begun, cursorOf, LOGIN, PASSWORD, synced, uploaded, type Live } from "./services.ts";

const OTHER = { login: "yu1club", password: "another one" };

/** A second account, whose only contact arrived long before the first account was downloaded. */
const aSecondAccount = ({ store }: Live): void => {
  store.addUser({ ...OTHER, calls: ["YU1CLUB"] });
  store.upload({ own: "YU1CLUB", call: "K9OLD", band: "20m", mode: "CW", at: Date.UTC(2020, 0, 1), qsl: undefined });
};

const useOther = ({ world, bob }: Live) =>
  setCredentials(world, bob.id, "first", { username: OTHER.login, password: OTHER.password });

test("another account is downloaded from its beginning", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1ABC");
  aSecondAccount(live);
  expect((await synced(live, "first")).stats.added).toBe(1);
  expect(await cursorOf(live, "first")).not.toBeNull();

  await useOther(live);

  expect(await cursorOf(live, "first")).toBeNull();
  expect((await synced(live, "first")).stats.added).toBe(1);
});

test("a new password for the same account continues at the last cursor", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1ABC");
  await synced(live, "first");
  const before = await cursorOf(live, "first");

  await setCredentials(live.world, live.bob.id, "first", { username: LOGIN, password: `${PASSWORD}!` });

  expect(await cursorOf(live, "first")).toEqual(before);
});

test("credentials that were deleted and set again start from the beginning", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1ABC");
  await synced(live, "first");

  await clearCredentials(live.world, live.bob.id, "first");
  await setCredentials(live.world, live.bob.id, "first", { username: LOGIN, password: PASSWORD });

  expect(await cursorOf(live, "first")).toBeNull();
  expect((await synced(live, "first")).stats).toMatchObject({ added: 0, updated: 0 });
});

test("a sync of the former account that ends later leaves no cursor for the new one", async () => {
  const live = await aLiveWorld();
  uploaded(live, "K1ABC");
  aSecondAccount(live);
  let replaced: Promise<unknown> | null = null;
  const job = await begun(live, "first", { onProgress: () => void (replaced ??= useOther(live)) });

  await live.runner.end(job.id);
  await replaced;

  expect(replaced).not.toBeNull();
  expect(await cursorOf(live, "first")).toBeNull();
});
