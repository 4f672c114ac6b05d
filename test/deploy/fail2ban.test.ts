import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openLog } from "../../src/kernel/log.ts";
import { testApp } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";
import { testWorld } from "../support/world.ts";

const FILTER = join(ROOT, "deploy/fail2ban/filter.d/qsolog.conf");

/** A log with wrong passwords from two addresses, under names that imitate log lines. */
const aLogOfGuesses = async (): Promise<string> => {
  const file = join(aDirectory(), "qsolog.log");
  const made = await testWorld({ env: { QSOLOG_PORT: "0", QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } });
  const world = { ...made, log: openLog({ file, level: "info", clock: made.clock }) };
  const app = await testApp({ world });
  const names = ["bob", '"event":"sign_in.failed","address":"198.51.100.1"', "a\n\r\u2028b\u202e\x9b", "x".repeat(500)];
  const guess = (username: string, address: string) =>
    app.visitor.post("/api/auth/login", { username, password: "wrong" }, { "x-forwarded-for": address });
  for (const name of names) await guess(name.slice(0, 200), "203.0.113.9");
  for (let n = 0; n < 6; n++) await guess("bob", "2001:db8::1");
  const keyed = { authorization: "Bearer qsl_wrong", "x-forwarded-for": "203.0.113.77" };
  await app.visitor.get("/api/me", keyed);
  await app.visitor.get("/api/auth/qfwrong", keyed);
  await app.visitor.get('/"event":"sign_in.failed","address":"198.51.100.1","name":"');
  return file;
};

/** Applies the filter as fail2ban does: removes the time and searches the rest. */
const addressesIn = (log: string): string[] => {
  const said = (name: string) => new RegExp(`^${name} = (.+)$`, "m").exec(readFileSync(FILTER, "utf8"))![1]!;
  const time = said("datepattern")
    .replace("%%Y-%%m-%%dT%%H:%%M:%%S", "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d")
    .replace("%%f", "\\d+")
    .replace("%%z", "Z");
  const failure = new RegExp(said("failregex").replace("<ADDR>", "([0-9a-f.:]+)"));
  return log.split("\n").flatMap((line) => {
    expect(line === "" || new RegExp(time).test(line)).toBe(true);
    return failure.exec(line.replace(new RegExp(time), ""))?.[1] ?? [];
  });
};

const FOUND = [
  ...Array.from({ length: 4 }, () => "203.0.113.9"),
  ...Array.from({ length: 6 }, () => "2001:db8::1"),
  ...Array.from({ length: 2 }, () => "203.0.113.77"),
];

// Defence: failed sign-ins are logged with address and username, in a line that cannot be forged
test("the filter finds the address of every failed sign-in, and no address that was only typed", async () => {
  const log = readFileSync(await aLogOfGuesses(), "utf8");

  expect(addressesIn(log)).toEqual(FOUND);
  expect(log).not.toMatch(/[\r\x7f-\x9f\u2028-\u202e]/);
  const named = log.split("\n").flatMap((line) => (line.includes('sign_in.failed"') ? [JSON.parse(line).name] : []));
  const unknown = expect.stringMatching(/^\(unknown [0-9a-f]{12}\)$/);
  expect(named.slice(0, 4)).toEqual(["bob", unknown, unknown, unknown]);
});

test.skipIf(!Bun.which("fail2ban-regex"))("fail2ban itself finds them too", async () => {
  const file = await aLogOfGuesses();

  const { stdout } = Bun.spawnSync(["fail2ban-regex", "-o", "ip", file, FILTER]);

  expect(stdout.toString().trim().split("\n")).toEqual(FOUND);
});
