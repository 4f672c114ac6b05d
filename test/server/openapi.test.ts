import { expect, test } from "bun:test";
import type { TSchema } from "typebox";
import { API_ROUTES } from "../../src/server/api-routes.ts";
import { fits } from "../../src/kernel/schema.ts";
import { testApp } from "../support/app.ts";
import { resolved } from "../support/openapi.ts";
import { getSuccessStatus } from "../../src/server/http/route.ts";

const documentAt = async (env: Record<string, string> = {}, path = "/openapi/json") =>
  (await (await testApp({ env })).visitor.get(path)).body;

// Invariant: responses match the OpenAPI document
test("the document has every route with its method, and nothing else", async () => {
  const { openapi, paths } = await documentAt();

  const named = Object.entries(paths as Record<string, object>).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(openapi).toBe("3.1.0");
  expect(named.sort()).toEqual(
    API_ROUTES.map(({ spec }) => `${spec.method} ${spec.path.replaceAll(/:(\w+)/g, "{$1}")}`).sort(),
  );
});

test("the document says what qsolog is, its licence, and which fields a QSO takes", async () => {
  const { info, paths } = await documentAt();

  expect(info).toMatchObject({ title: "qsolog", description: expect.any(String), license: { identifier: "MIT" } });
  const { schema } = paths["/api/qsos"].post.requestBody.content["application/json"];
  expect(Object.keys(schema.properties)).toEqual(
    expect.arrayContaining(["call", "startedAt", "freqHz", "mode", "extra"]),
  );
});

test("every operation describes its input, its answer and its errors", async () => {
  const { paths, components } = await documentAt();

  for (const { spec } of API_ROUTES) {
    const operation = paths[spec.path.replaceAll(/:(\w+)/g, "{$1}")][spec.method.toLowerCase()];
    const status = String(getSuccessStatus(spec));
    expect(Object.keys(operation.responses)).toEqual([...(spec.preview ? ["200"] : []), status, "default"]);
    expect(operation.summary).toMatch(/^[A-Z][^.]+$/);
    expect(operation.description).toMatch(/\.$/);
    expect([operation.operationId, operation.tags.length]).toEqual([spec.name, 1]);
    const inPath = operation.parameters.filter((one: { in: string }) => one.in === "path");
    expect(inPath.map(({ name }: { name: string }) => name)).toEqual(
      [...spec.path.matchAll(/:(\w+)/g)].map(([, name]) => name!),
    );
    expect(inPath.every(({ required }: { required: boolean }) => required)).toBe(true);
    expect(operation.security).toEqual(spec.access === "anyone" ? [] : [{ bearer: [] }, { session: [] }]);
  }
  expect(components.schemas.Error.properties.error.required).toEqual(["code", "message"]);
  expect(new Set(API_ROUTES.map(({ spec }) => spec.name)).size).toBe(API_ROUTES.length);
});

test("every answer with a body is described, numbers are numbers, and references exist", async () => {
  const document = await documentAt();
  const text = JSON.stringify(document);

  for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    expect(document.components.schemas).toHaveProperty(name!);
  }
  for (const { spec } of API_ROUTES) {
    const operation = document.paths[spec.path.replaceAll(/:(\w+)/g, "{$1}")][spec.method.toLowerCase()];
    const { content } = operation.responses[getSuccessStatus(spec)];
    expect([spec.name, content === undefined]).toEqual([spec.name, getSuccessStatus(spec) === 204]);
    for (const { name, schema } of operation.parameters) {
      if (name === "limit") expect([spec.name, schema.type]).toEqual([spec.name, "integer"]);
    }
  }
  expect(text).not.toContain("documentedAs");
});

test("the schemas are plain JSON Schema that accepts valid answers only", async () => {
  const document = await documentAt();
  const answer = (path: string, method: string, status: number) =>
    resolved(document, document.paths[path][method].responses[status].content["application/json"].schema) as TSchema;

  const settings = answer("/auto-sync/settings", "get", 200);
  const one = { enabled: false, intervalHours: 24, lastSyncAt: null, nextSyncAt: null, paused: null };
  expect(fits(settings, { first: one, second: one })).toBe(true);
  expect(fits(settings, { first: one, second: { ...one, intervalHours: 721 } })).toBe(false);
  expect(fits(settings, { first: one, second: { ...one, paused: "asleep" } })).toBe(false);
  expect(fits(settings, { first: one, second: one, third: one })).toBe(false);
  for (const { spec } of API_ROUTES) {
    if (!spec.answer) continue;
    const path = spec.path.replaceAll(/:(\w+)/g, "{$1}");
    expect(fits(answer(path, spec.method.toLowerCase(), getSuccessStatus(spec)), { nonsense: true })).toBe(false);
  }
});

test("under a base path the document is below it and names it", async () => {
  const document = await documentAt({ QSOLOG_BASE_URL: "https://example.org/log" }, "/log/openapi/json");

  expect(document.servers).toEqual([{ url: "/log" }]);
});
