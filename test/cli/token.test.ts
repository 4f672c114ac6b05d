import { describe, expect, test } from "bun:test";
import { aShellWithUsers } from "../support/qsolog.ts";

const aShellWithBob = () => aShellWithUsers({ username: "bob" });

// Defence: API tokens are shown once and stored as SHA-256
test("a token is printed to standard output once and not stored", async () => {
  const qsolog = await aShellWithBob();

  const made = await qsolog(["token", "create", "logger", "--scope", "read", "--user", "bob"]);

  expect(made.code).toBe(0);
  expect(made.out).toMatch(/^qsl_[A-Za-z0-9_-]{43}\n$/);
  expect(made.err).toBe("database: <data>/qsolog.db\nCopy the token now: token 1 of bob is shown only once.\n");
  const listed = await qsolog(["token", "list"]);
  expect(listed.out).toMatch(/TOKEN +NAME +SCOPE.*\n1 +logger +read +\d{4}-\d\d-\d\d \d\d:\d\d +never +never\n$/);
  expect(listed.out).not.toContain(made.out.trim());
});

test("--json prints the document of the API", async () => {
  const qsolog = await aShellWithBob();

  const made = JSON.parse(
    (await qsolog(["token", "create", "logger", "--scope", "write", "--expires", "2099-12-31", "--json"])).out,
  );

  const { token, ...rest } = made;
  expect(token).toStartWith("qsl_");
  expect(rest).toEqual({
    id: 1,
    name: "logger",
    scope: "write",
    createdAt: expect.any(Number),
    expiresAt: Date.UTC(2100, 0, 1),
    lastUsedAt: null,
  });
  expect(JSON.parse((await qsolog(["token", "list", "--json"])).out)).toEqual({ tokens: [rest] });
});

test("a revoked token disappears from the list", async () => {
  const qsolog = await aShellWithBob();
  await qsolog(["token", "create", "logger", "--scope", "read"]);

  expect(await qsolog(["token", "revoke", "1"])).toEqual({
    code: 0,
    out: "Revoked token 1.\n",
    err: "database: <data>/qsolog.db\n",
  });
  expect((await qsolog(["token", "list"])).out).toBe("No tokens yet. Create one: qsolog token create NAME\n");
  expect((await qsolog(["token", "revoke", "1"])).code).toBe(5);
});

test("another user's token is not found", async () => {
  const qsolog = await aShellWithUsers({ username: "bob" }, { username: "eve" });
  await qsolog(["token", "create", "logger", "--scope", "read", "--user", "bob"]);

  const { code } = await qsolog(["token", "revoke", "1", "--user", "eve"]);

  expect(code).toBe(5);
  expect(JSON.parse((await qsolog(["token", "list", "--user", "bob", "--json"])).out).tokens).toHaveLength(1);
});

describe("wrong usage prints one line", () => {
  const wrong: [string[], number, string][] = [
    [["create", "x"], 2, "Choose what the token can do: --scope read, --scope write or --feed."],
    [["create", "x", "--scope", "all"], 2, "Use --scope with read or write."],
    [["create", " ", "--scope", "read"], 2, "The name must have 1 to 100 characters."],
    [["create", "x", "--scope", "read", "--expires", "2020-01-01"], 2, "The token must expire in the future."],
    [["revoke", "x"], 2, '"x" is not a token number.'],
    [["revoke", "7"], 5, "There is no such token."],
    [["list", "--user", "nobody"], 5, "There is no user nobody."],
  ];
  test("on stderr, with its exit code", async () => {
    const qsolog = await aShellWithBob();

    for (const [words, code, message] of wrong) {
      const answer = await qsolog(["token", ...words]);
      expect([answer.code, answer.out, answer.err.split("\n").at(-2)]).toEqual([code, "", `qsolog: ${message}`]);
    }
  });

  test("as JSON with --json", async () => {
    const qsolog = await aShellWithBob();

    const { code, err } = await qsolog(["token", "revoke", "7", "--json"]);

    expect([code, JSON.parse(err.split("\n").at(-2)!)]).toEqual([
      5,
      { error: { code: "not_found", message: "There is no such token." } },
    ]);
  });
});

test("invite and reset print a link and record it in the user's account events", async () => {
  const qsolog = await aShellWithUsers({ username: "ann" });
  const at = { env: { QSOLOG_BASE_URL: "https://log.example.org/qsolog" } };

  const invited = await qsolog(["user", "invite", "Bob", "--callsign", "yu1bob"], at);
  const reset = JSON.parse((await qsolog(["user", "reset", "bob", "--json"])).out);
  await qsolog(["token", "create", "logger", "--scope", "read", "--user", "bob"]);
  const events = await qsolog(["account", "events", "--user", "bob"]);
  const document = JSON.parse((await qsolog(["account", "events", "--user", "bob", "--limit", "1", "--json"])).out);

  expect(invited.out).toMatch(/^https:\/\/log\.example\.org\/qsolog\/password\?token=[\w-]{32}\n$/);
  expect(invited.err).toContain("Send this link to bob. It works once, until ");
  expect(reset).toMatchObject({ user: { username: "bob", callsign: "YU1BOB" }, expiresAt: expect.any(Number) });
  expect(reset.link).toMatch(/^http:\/\/127\.0\.0\.1:7373\/password\?token=[\w-]{32}$/);
  expect(events.out.split("\n").map((line) => line.slice(18).replace(/ {2,}/g, "|").trimEnd())).toEqual([
    "WHAT|BY|ADDRESS",
    "API token created: logger read|operator",
    "Password link created|operator",
    "Account created|operator",
    "",
  ]);
  expect([document.events.length, document.events[0].event, typeof document.nextCursor]).toEqual([
    1,
    "token_made",
    "string",
  ]);
  expect((await qsolog(["user", "reset", "nobody"])).code).toBe(5);
  const common = await qsolog(["user", "password", "bob"], { env: { QSOLOG_PASSWORD: "password12" } });
  expect([common.code, common.err]).toEqual([2, expect.stringContaining("too common")]);
});
