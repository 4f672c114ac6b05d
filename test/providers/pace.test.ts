import { expect, test } from "bun:test";
import { SECOND } from "../../src/kernel/clock.ts";
import type { ProviderDeps } from "../../src/domain/jobs/provider.ts";
import { LastAskedInMemory } from "../support/last-asked.ts";
import { Pace } from "../../src/providers/session.ts";
import { aRig, PASSWORD } from "./rig.ts";

const aProgram = () => {
  const waits: number[] = [];
  const deps = {
    lastAsked: new LastAskedInMemory(() => 0),
    pace: 1,
    ticks: () => 0,
    sleep: async (ms: number) => void waits.push(ms),
  } as unknown as ProviderDeps;
  const pace = (name: string) => new Pace(deps, name, new AbortController().signal);
  return { deps, waits, pace };
};

test("requests with one name queue up, and those with another name do not wait for them", async () => {
  const { waits, pace } = aProgram();

  await Promise.all(["a", "a", "b", "a"].map((name) => pace(name).take(1050)));

  expect(waits).toEqual([1050, 2100]);
});

test.each([
  ["first", 5 * SECOND],
  ["second", 1050],
] as const)("the next download of %s waits for the one before it", async (service, wait) => {
  const rig = aRig(service);
  await rig.run();
  const { length } = rig.pauses;

  await rig.run();

  expect(rig.pauses[length]).toBe(wait);
});

test("another account at the first service has its own queue", async () => {
  const [one, other] = [aRig("first"), aRig("first")];
  other.deps.lastAsked = one.deps.lastAsked;
  other.world.store.addUser({ login: "other", password: PASSWORD, calls: ["K1OTHER"] });
  await one.run();

  await other.run({ credentials: { ...other.credentials, username: "other" } });

  expect(other.pauses).toEqual([5 * SECOND]);
  expect([...(other.deps.lastAsked as LastAskedInMemory).keys()]).toEqual(["first yu1test", "first other"]);
});
