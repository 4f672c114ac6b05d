import { describe, expect, test } from "bun:test";
import { AppError } from "../../src/kernel/errors.ts";
import type { Service } from "../../src/domain/jobs/source.ts";
import { providers } from "../../src/providers/registry.ts";

const normalise = (service: Service, given: Record<string, unknown>) => providers[service].normaliseCredentials(given);

const problemsOf = (service: Service, given: Record<string, unknown>): AppError => {
  try {
    normalise(service, given);
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error("The credentials were accepted");
};

test.each<[Service, Record<string, unknown>, Record<string, string>]>([
  ["first", { username: " yu1test\n", password: " p w " }, { username: "yu1test", password: " p w " }],
  ["first", { username: "yu1test", password: "secret\r\n" }, { username: "yu1test", password: "secret" }],
  [
    "first",
    { username: "yu1test", password: "s", callsign: " yu1test/p " },
    { username: "yu1test", password: "s", callsign: "YU1TEST/P" },
  ],
  ["first", { username: "yu1test", password: "s", callsign: "" }, { username: "yu1test", password: "s" }],
  ["first", { username: "yu1test", password: "s", callsign: null }, { username: "yu1test", password: "s" }],
  ["second", { apiKey: "\tAB12-CD34\n " }, { apiKey: "AB12-CD34" }],
  ["second", { apiKey: "AB12", callsign: "dlØabc" }, { apiKey: "AB12", callsign: "DL0ABC" }],
])("the %s service takes %j as %j", (service, given, expected) => {
  expect(normalise(service, given)).toEqual(expected);
});

describe("unusable credentials name the invalid fields", () => {
  test.each<[Service, Record<string, unknown>, string[]]>([
    ["first", {}, ["username", "password"]],
    ["first", { username: "yu1test", password: "" }, ["password"]],
    ["first", { username: "yu1 test", password: "s" }, ["username"]],
    ["first", { username: "yu1test", password: "a\nb" }, ["password"]],
    ["first", { username: 5, password: ["s"] }, ["username", "password"]],
    ["first", { username: "yu1test", password: "s", apiKey: "x" }, ["apiKey"]],
    ["second", { apiKey: "   " }, ["apiKey"]],
    ["second", { apiKey: "AB12 CD34" }, ["apiKey"]],
    ["second", { apiKey: "x".repeat(300) }, ["apiKey"]],
    ["second", { apiKey: "AB12", callsign: "no call" }, ["callsign"]],
    ["second", { apiKey: "AB12", callsign: "TEST" }, ["callsign"]],
  ])("(%s) %j", (service, given, fields) => {
    const { code, fields: problems } = problemsOf(service, given);

    expect(code).toBe("invalid");
    expect(problems!.map(({ path }) => path)).toEqual(fields);
  });

  test("their error never contains what was typed", () => {
    const { message, fields } = problemsOf("first", { username: "se cret", password: "s\tecret", callsign: "secret" });

    expect(JSON.stringify([message, fields])).not.toContain('cret"');
    expect(JSON.stringify([message, fields])).not.toMatch(/se cret|s\\tecret|secret/i);
  });
});

test("each service lists the fields it needs", () => {
  for (const service of Object.values(providers)) {
    expect(service.fields.filter(({ secret }) => secret)).toHaveLength(1);
    expect(service.fields.filter(({ required }) => required).length).toBeGreaterThan(0);
    expect(service.help).toEndWith(".");
  }
});
