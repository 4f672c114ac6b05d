import { describe, expect, test } from "bun:test";
import { MINUTE } from "../../src/kernel/clock.ts";
import { AGENT, aWorld, anUpload, NOW, outcomeOf } from "./world.ts";

describe("every request is recorded", () => {
  test("with what was sent and answered, and when", async () => {
    await using world = aWorld();
    world.turn(1 * MINUTE);

    await (await world.post({ ACTION: "FETCH", OPTION: "MAX:250,AFTERLOGID:0" })).text();

    const [request] = world.second.requests;
    expect(request).toMatchObject({
      number: 1,
      method: "POST",
      path: "/second/api",
      raw: "KEY=AB12-CD34-EF56&ACTION=FETCH&OPTION=MAX%3A250%2CAFTERLOGID%3A0",
      account: "AB12-CD34-EF56",
      status: 200,
      startedAt: NOW + 1 * MINUTE,
      finishedAt: NOW + 1 * MINUTE,
      aborted: false,
      overlaps: [],
      faults: [],
    });
    expect(request.params.get("OPTION")).toBe("MAX:250,AFTERLOGID:0");
    expect(request.headers["user-agent"]).toBe(AGENT);
    expect(world.first.requests).toEqual([]);
  });

  test("with the other requests in progress", async () => {
    await using world = aWorld();
    await (await world.ask()).text();
    const release = world.first.hold();
    const slow = world.ask();
    await world.first.journal.waitForArrival(2);

    await (await world.ask()).text();
    release();
    await (await slow).text();
    await (await world.ask()).text();

    expect(world.first.requests.map(({ overlaps }) => overlaps)).toEqual([[], [3], [2], []]);
    expect(world.first.requests.map(({ status }) => status)).toEqual([200, 200, 503, 200]);
  });

  test("as finished before the client sees the end", async () => {
    await using world = aWorld();
    for (let asked = 1; asked <= 50; asked++) {
      await (await world.ask()).text();
      expect(world.first.requests[asked - 1].finishedAt).not.toBeNull();
    }
  });
});

test("any other path is not found", async () => {
  await using world = aWorld();

  expect((await fetch(`${world.services.firstUrl}/lotwuser/`)).status).toBe(404);
  expect((await fetch(`${world.services.secondUrl}/lotwuser/lotwreport.adi`)).status).toBe(404);
});

test("a contact uploaded or confirmed later is in the next report", async () => {
  await using world = aWorld();
  const qso = world.store.upload(anUpload());
  expect(await world.report()).toContain("NUMREC:1>0\n");

  world.store.confirm(qso, { rxqsl: NOW, detail: { STATE: "WI", DXCC: "291" } });

  expect(await world.report({ qso_qsldetail: "yes" })).toContain("<STATE:2>WI // Wisconsin\n");
});

describe("stopping the services", () => {
  test("ends requests in progress and resolves when none is left", async () => {
    const world = aWorld();
    world.first.fail({ kind: "stall" });
    world.first.fail({ kind: "stall", at: 100 });
    world.store.addUser({ login: "yu2test", password: "secret", calls: [] });
    world.store.addUser({ login: "yu3test", password: "secret", calls: [] });
    const answers: Promise<string>[] = [];
    for (const [index, login] of ["yu1test", "yu2test", "yu3test"].entries()) {
      if (login === "yu3test") world.first.hold();
      answers.push(outcomeOf(world.ask({ login }).then((response) => response.text())));
      await world.first.journal.waitForArrival(index + 1);
    }

    await world.services.stop();

    expect(await Promise.all(answers)).toEqual(["broken off", "broken off", "broken off"]);
    expect(world.first.requests.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect(() => world.services.firstUrl).toThrow("not running");
  });

  test("can be repeated without effect", async () => {
    const world = aWorld();

    await world.services.stop();
    await world.services.stop();

    expect(world.first.requests).toEqual([]);
  });
});
