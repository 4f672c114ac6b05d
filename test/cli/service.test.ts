import { expect, test } from "bun:test";
import { KEY, PASSWORD } from "../sync/services.ts";
import { aCommandLine, steady } from "./services.ts";

const DATABASE = "database: <data>/qsolog.db\n";

// Defence: stored credentials are never returned
test("list shows both services, their state and the reason, and never a secret", async () => {
  const { qsolog, book } = await aCommandLine();
  book.subscribed = false;
  await qsolog(["service", "test", "second"]);

  const { code, out, err } = await qsolog(["service", "list"]);

  expect([code, err]).toEqual([0, ""]);
  expect(steady(out)).toBe(
    [
      "SERVICE  STATE     CALLSIGN  CHECKED (UTC)     REASON",
      "LoTW     unknown             never",
      "QRZ      rejected  YU1TEST   YYYY-MM-DD HH:MM  QRZ requires an XML subscription to download a logbo…",
      "",
    ].join("\n"),
  );
  expect((await qsolog(["service", "--user", "bob"])).out).toBe((await qsolog(["service", "list"])).out);
  const json = (await qsolog(["service", "list", "--json"])).out;
  for (const secret of [PASSWORD, KEY]) expect(json).not.toContain(secret);
});

test("set reads the secret from standard input, and test shows whether the service accepts it", async () => {
  const { qsolog, store } = await aCommandLine();
  store.users[0]!.password = "a new one";
  expect(await qsolog(["service", "test", "first"])).toMatchObject({
    code: 1,
    out: "",
    err: `qsolog: LoTW rejected the username or password.\n`,
  });

  const set = ["service", "set", "first", "--username", "yu1test", "--callsign", "yu1test/p", "--stdin"];
  expect(await qsolog(set, { stdin: "a new one\n" })).toMatchObject({
    code: 0,
    out: "Stored your LoTW account. Check it: qsolog service test lotw\n",
    err: DATABASE,
  });

  expect(await qsolog(["service", "test", "first"])).toMatchObject({ code: 0, out: "LoTW accepted your account.\n" });
  const { services } = JSON.parse((await qsolog(["service", "list", "--json"])).out);
  expect(services[0]).toMatchObject({ source: "first", configured: true, state: "ok", callsign: "YU1TEST/P" });
});

// Defence: secrets are never accepted on a command line
test("set refuses incomplete input, and a secret on the command line", async () => {
  const { qsolog } = await aCommandLine();

  const incomplete = await qsolog(["service", "set", "first", "--stdin"], { stdin: "x" });
  expect([incomplete.code, incomplete.err.includes("Username is missing")]).toEqual([2, true]);
  expect((await qsolog(["service", "set", "second"])).err).toContain("Use --stdin or QSOLOG_PASSWORD");
  expect((await qsolog(["service", "set", "second", "--api-key", "x"])).code).toBe(2);
  expect((await qsolog(["service", "set", "third"])).code).toBe(2);
});

test("set asks in a terminal and does not show the secret", async () => {
  const line = await aCommandLine();
  const asked = line.inTerminal(["service", "set", "second"]);

  await asked.shows("API key: ");
  asked.type("9999-8888-7777-6666\r");

  await asked.shows("Stored your QRZ account.");
  expect(await asked.exited).toBe(0);
  expect(asked.text()).not.toContain("9999");
});

test("clear removes the account, once, and a missing account cannot be tested", async () => {
  const { qsolog } = await aCommandLine();

  expect(await qsolog(["service", "clear", "second"])).toMatchObject({
    code: 0,
    out: "Removed your QRZ account.\n",
  });
  expect((await qsolog(["service", "clear", "second"])).code).toBe(5);
  expect((await qsolog(["service", "test", "second"])).code).toBe(3);
  expect(steady((await qsolog(["service", "list"])).out)).toContain("QRZ      not connected");
});
