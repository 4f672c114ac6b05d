import { describe, expect, test } from "bun:test";
import { localClient } from "../cli/client/local-client.ts";
import { remoteClient } from "../cli/client/remote-client.ts";
import { linkTo } from "../cli/client/server-link.ts";
import { inLabels } from "../src/server/pages/refusal-words.ts";
import type { Logbook } from "../cli/client/logbook.ts";
import { soon } from "./cli/client/clients.ts";
import { testApp, type Answer, type Asker, type TestApp } from "./support/app.ts";
import { afterTest } from "./support/cleanup.ts";
import { logOf, lotw, said, sync } from "./support/sync.ts";

type Words = Record<string, string>;

/** A question as every interface asks it. An interface that cannot ask it has no entry. */
interface Question {
  client: (client: Logbook, words: Words) => Promise<unknown>;
  path: string;
  /** Parameters of this question only. */
  also?: readonly [name: string, words: Words][];
  page?: {
    path: string;
    /** The part of the document that the page shows. */
    shown: (html: string) => unknown;
    of: (document: any) => unknown;
  };
}

const figure = (html: string, name: string): number | null => {
  const found = new RegExp(`<dt[^>]*>${name}</dt><dd[^>]*>([\\d\\s\u202f]+)`).exec(html)?.[1];
  return found === undefined ? null : Number(found.replace(/\D/g, ""));
};

const silentIn = (html: string): string | null => {
  const found = /You made no contacts as [^<]*\./.exec(html)?.[0];
  return found === undefined ? null : unescaped(found);
};

const namesIn = (document: { withoutContacts?: string[] }): string | null =>
  document.withoutContacts ? `You made no contacts as ${document.withoutContacts.join(" or ")}.` : null;

/** In this case a page says so instead of showing zeros. */
const isUnheard = (document: { withoutContacts?: string[] }, worked: readonly number[]): boolean =>
  document.withoutContacts !== undefined && worked.every((count) => count === 0);

const QUESTIONS: Record<string, Question> = {
  contacts: {
    client: (client, words) => client.qsos(words),
    path: "/api/qsos",
    also: [
      ["at a service", { at: "first" }],
      ["at neither service", { notAt: "first,second" }],
      ["by card", { confirmation: "card,cardOnly" }],
      ["at nobody", { notAt: "third" }],
    ],
    page: {
      path: "/log",
      shown: (html) => [
        Number(/id="found-count" data-say="(?:[\d–]+ of )?(\d+) QSOs?/.exec(html)?.[1]),
        silentIn(html),
      ],
      of: (document) => [document.total, namesIn(document)],
    },
  },
  statistics: { client: (client, words) => client.stats(words), path: "/api/stats" },
  awards: {
    client: (client, words) => client.awards(words),
    path: "/api/awards",
    also: [
      ["made from an entity", { location: "296" }],
      ["made from nowhere", { location: "230" }],
      ["made from a word", { location: "home" }],
    ],
    page: {
      path: "/awards",
      shown: (html) => [
        [...html.matchAll(/data-label="Worked"[^>]*>(\d+|–)/g)].map((match) => Number(match[1]) || 0),
        silentIn(html),
      ],
      of: (document) => {
        const worked: number[] = document.awards.map((award: { worked: number }) => award.worked);
        return [isUnheard(document, worked) ? [] : worked, namesIn(document)];
      },
    },
  },
  "one award": {
    client: (client, words) => client.award("dxcc", words),
    path: "/api/awards/dxcc",
    page: {
      path: "/awards/dxcc",
      shown: (html) => {
        const [confirmed, waiting] = [figure(html, "confirmed"), figure(html, "waiting")];
        return [confirmed === null || waiting === null ? null : confirmed + waiting, confirmed, silentIn(html)];
      },
      of: (document) =>
        isUnheard(document, [document.worked])
          ? [null, null, namesIn(document)]
          : [document.worked, document.confirmed, namesIn(document)],
    },
  },
  "what is needed": { client: (client, words) => client.needed("dxcc", words), path: "/api/awards/dxcc/needed" },
  "the matrix": { client: (client, words) => client.matrix("dxcc", words), path: "/api/awards/dxcc/matrix" },
};

const AWKWARD: [string, Words][] = [
  ["nothing", {}],
  ["lower case", { station: "yu0abc" }],
  ["a slashed zero", { station: "YUØABC" }],
  ["several", { station: " yu0abc , YU1XYZ/P" }],
  ["an underscore", { station: "yu1xyz_p" }],
  ["one unknown", { station: "YU9NONE" }],
  ["one known and one unknown", { station: "YU0ABC,YU9NONE" }],
  ["empty", { station: "" }],
  ["blank", { station: "   " }],
  ["an empty place", { station: "YU0ABC,,YU1XYZ/P" }],
  ["too long", { station: "X".repeat(10_000) }],
  ["garbled", { station: "YU0\u0000ABC" }],
  ["a pattern's signs", { station: "YU0%" }],
  ["a quote", { station: "YU0ABC' OR 1=1 --" }],
];

interface Outcome {
  document?: unknown;
  refusal?: { code: string; rule?: string; paths?: string[]; message: string };
}

const outcomeOf = (asked: Promise<unknown>): Promise<Outcome> =>
  asked.then(
    (document) => ({ document: JSON.parse(JSON.stringify(document)) }),
    ({ code, rule, fields, message }) => ({
      refusal: { code, rule, paths: fields?.map(({ path }: { path: string }) => path), message },
    }),
  );

const ofAnswer = ({ status, body }: Answer): Outcome => {
  if (status < 300) return { document: body };
  const { code, rule, fields, message } = body.error;
  return { refusal: { code, rule, paths: fields?.map(({ path }: { path: string }) => path), message } };
};

const query = (words: Words): string => {
  const text = new URLSearchParams(words).toString();
  return text === "" ? "" : `?${text}`;
};

/** Bob has contacts under two own callsigns, one of them confirmed. Eve's log must never appear. */
const aHouse = async () => {
  const app = await testApp();
  const germany = { DXCC: "291" };
  await sync(app, app.bob.id, "file", [
    said("DL1AAA", "2026-07-18 01:43", { ...germany, STATION_CALLSIGN: "YU0ABC" }),
    said("K2BBB", "2026-07-18 01:53", { DXCC: "291", STATION_CALLSIGN: "YU1XYZ/P" }),
  ]);
  await sync(app, app.bob.id, "first", [
    lotw("DL1AAA", "2026-07-18 01:43:10", { ...germany, APP_LOTW_OWNCALL: "YU0ABC" }),
  ]);
  await sync(app, app.eve.id, "file", [said("F1XYZ", "2026-07-18 01:43", { DXCC: "227", STATION_CALLSIGN: "YU0ABC" })]);
  const server = await app.server.listen();
  const { token } = await app.signIn(app.bob);
  const clients = {
    here: localClient(app, app.bob),
    there: remoteClient(linkTo({ server, token, insecure: false }), soon),
  };
  for (const client of Object.values(clients)) afterTest(() => client.stop());
  return { app, clients, api: await app.as(app.bob), browser: await app.browser(app.bob) };
};

// Defence: pages, interface and commands give the same answer or refusal
describe("pages, API, commands and terminal give one answer or refusal to one question", () => {
  test.each(Object.entries(QUESTIONS))("%s", async (_, question) => {
    const { clients, api, browser } = await aHouse();
    for (const [name, words] of [...AWKWARD, ...(question.also ?? [])]) {
      const byInterface = ofAnswer(await api.get(question.path + query(words)));
      const here = await outcomeOf(question.client(clients.here, words));
      const there = await outcomeOf(question.client(clients.there, words));

      expect([name, here]).toEqual([name, byInterface]);
      expect([name, there]).toEqual([name, byInterface]);
      if (question.page) await expectPage(browser, question.page, { name, words, byInterface });
    }
  });

  /** A browser sends every field of a form, so an empty one means no filter on a page. */
  const expectPage = async (
    browser: Asker,
    { path, shown, of }: NonNullable<Question["page"]>,
    { name, words, byInterface }: { name: string; words: Words; byInterface: Outcome },
  ) => {
    if (words.station === "") return;
    const { status, text } = await browser.get(path + query(words), { accept: "text/html" });
    if (byInterface.refusal) {
      expect([name, status]).toEqual([name, 400]);
      expect(unescaped(text)).toContain(inLabels(byInterface.refusal.message).slice(0, 60));
    } else {
      expect([name, status]).toEqual([name, 200]);
      expect([name, shown(text)]).toEqual([name, of(byInterface.document)]);
    }
  };

  test("an invalid parameter has the same name in every interface", async () => {
    const { clients, api } = await aHouse();
    const asked: [string, (client: Logbook) => Promise<unknown>][] = [
      ["/api/jobs?source=nonsense", (client) => client.jobs({ source: "nonsense" as never })],
      ["/api/jobs?status=nonsense", (client) => client.jobs({ status: "nonsense" })],
      ["/api/jobs?status=failed,", (client) => client.jobs({ status: "failed," })],
      ["/api/jobs?limit=0", (client) => client.jobs({ limit: 0 })],
      ["/api/jobs?cursor=made-up", (client) => client.jobs({ cursor: "made-up" })],
      ["/api/jobs/1/changes?cursor=made-up", (client) => client.changes(1, { cursor: "made-up" })],
      ["/api/qsos?cursor=made-up", (client) => client.qsos({ cursor: "made-up" })],
      ["/api/qsos?band=20x&limit=0", (client) => client.qsos({ band: "20x", limit: "0" })],
      ["/api/qsos?from=yesterday", (client) => client.qsos({ from: "yesterday" })],
      ["/api/awards?by=nobody", (client) => client.awards({ by: "nobody" })],
      ["/api/awards?by=", (client) => client.awards({ by: "" })],
      ["/api/awards/dxcc?band=", (client) => client.award("dxcc", { band: "" })],
      ["/api/awards/nonsense", (client) => client.award("nonsense")],
      ["/api/news?since=yesterday", (client) => client.news({ since: "yesterday" })],
    ];
    for (const [path, ask] of asked) {
      const { refusal } = ofAnswer(await api.get(path));
      const named = { code: refusal?.code, rule: refusal?.rule, paths: refusal?.paths };
      for (const client of Object.values(clients)) {
        const found = (await outcomeOf(ask(client))).refusal;
        expect([path, { code: found?.code, rule: found?.rule, paths: found?.paths }]).toEqual([path, named]);
      }
      expect(named.code).toMatch(/^(invalid|not_found)$/);
    }
  });

  test("a list of jobs, and an invalid filter of it, is the same on the page and in the API", async () => {
    const { api, browser } = await aHouse();
    for (const words of [
      "",
      "source=file",
      "status=failed,completed",
      "status=cancelled",
      "source=",
      "status=none",
      "source=x",
    ]) {
      const byInterface = await api.get(`/api/jobs?${words === "source=" ? "" : words}`);
      const { status, text } = await browser.get(`/jobs?${words}`, { accept: "text/html" });
      expect([words, status]).toEqual([words, byInterface.status]);
      if (status !== 200) continue;
      const shown = [...text.matchAll(/id="job-(\d+)"/g)].map((match) => Number(match[1]));
      expect([words, shown]).toEqual([words, byInterface.body.jobs.map(({ id }: { id: number }) => id)]);
    }
  });

  test("an empty field of a page's form is ignored", async () => {
    const { browser } = await aHouse();
    for (const { page } of Object.values(QUESTIONS)) {
      if (!page) continue;
      const [empty, plain] = [await browser.get(`${page.path}?station=`), await browser.get(page.path)];
      expect([page.path, empty.status, page.shown(empty.text)]).toEqual([page.path, 200, page.shown(plain.text)]);
    }
  });

  test("a station filter finds its contacts, and reports a station without contacts", async () => {
    const { clients } = await aHouse();
    const total = async (station: string) => {
      const { total: figures, withoutContacts } = await clients.here.stats({ station });
      const { total: listed } = await clients.here.qsos({ station });
      const { worked } = await clients.here.award("dxcc", { station });
      return [figures, listed, worked, withoutContacts];
    };

    expect(await total("yu0abc")).toEqual([1, 1, 1, undefined]);
    expect(await total("YUØABC")).toEqual([1, 1, 1, undefined]);
    expect(await total("yu0abc,yu1xyz/p")).toEqual([2, 2, 1, undefined]);
    expect(await total("YU9NONE")).toEqual([0, 0, 0, ["YU9NONE"]]);
  });
});

// Defence: pages, interface and commands give the same answer or refusal
describe("another user's data does not exist in any interface", () => {
  const NUMBERED: Record<
    string,
    { api: string; page?: string; client: (client: Logbook, id: number) => Promise<unknown> }
  > = {
    "a contact": { api: "/api/qsos/:id", page: "/log/:id", client: (client, id) => client.qso(id) },
    "a job": { api: "/api/jobs/:id", page: "/jobs/:id", client: (client, id) => client.job(id) },
    "what a job changed": { api: "/api/jobs/:id/changes", client: (client, id) => client.changes(id, {}) },
    "what a job left over": { api: "/api/jobs/:id/leftovers", client: (client, id) => client.leftovers(id, {}) },
    "a preview": {
      api: "/api/jobs/:id/rollback",
      page: "/jobs/:id/rollback",
      client: (client, id) => client.rollbackPreview(id),
    },
  };

  test.each(Object.entries(NUMBERED))("%s", async (_, { api: path, page, client }) => {
    const { app, clients, api, browser } = await aHouse();
    const eves = await numbersOf(app, path);
    for (const id of [eves, 999_999]) {
      const byInterface = ofAnswer(await api.get(path.replace(":id", String(id))));

      expect(byInterface.refusal?.code).toBe("not_found");
      expect(await outcomeOf(client(clients.here, id))).toEqual(byInterface);
      expect(await outcomeOf(client(clients.there, id))).toEqual(byInterface);
      if (page) expect((await browser.get(page.replace(":id", String(id)))).status).toBe(404);
    }
  });

  const numbersOf = async (app: TestApp, path: string): Promise<number> => {
    const eve = await app.as(app.eve);
    const { body } = await eve.get(path.includes("qsos") ? "/api/qsos" : "/api/jobs");
    return (body.qsos ?? body.jobs)[0].id;
  };
});

const unescaped = (html: string): string =>
  html
    .replaceAll("&#34;", '"')
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");

describe("page and API give one result or refusal for one action", () => {
  const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "text/html" };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

  interface Act {
    page: [path: string, fields: Record<string, string>];
    api: [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown];
    /** The schema of the API has its own error message. */
    hasOwnWords?: boolean;
  }

  const ACTS: Record<string, Act> = {
    "a sync of a service that is not set up": { page: ["/sync/second", {}], api: ["POST", "/api/sync/second", {}] },
    "a sync since no day": {
      page: ["/sync/first", { since: "yesterday" }],
      api: ["POST", "/api/sync/first", { since: "yesterday" }],
    },
    "a sync in full and since a day": {
      page: ["/sync/first", { since: "2026-01-01", full: "on" }],
      api: ["POST", "/api/sync/first", { since: "2026-01-01", full: true }],
    },
    "rolling back a job that completed": { page: ["/jobs/1/rollback", {}], api: ["DELETE", "/api/jobs/1"] },
    "undoing a sync": { page: ["/jobs/2/undo", {}], api: ["POST", "/api/jobs/2/undo"] },
    "rolling back another user's job": { page: ["/jobs/3/rollback", {}], api: ["DELETE", "/api/jobs/3"] },
    "dismissing what is not left over": {
      page: ["/jobs/1/dismiss", { leftover: "999" }],
      api: ["DELETE", "/api/leftovers/999"],
    },
    "a contact on no band": {
      page: ["/log", { call: "K9NEW", startedAt: "2026-08-01 10:00", band: "20", mode: "FT8" }],
      api: ["POST", "/api/qsos", { call: "K9NEW", startedAt: "2026-08-01 10:00", band: "20", mode: "FT8" }],
    },
    "editing another user's contact": { page: ["/log/3", { name: "x" }], api: ["PATCH", "/api/qsos/3", { name: "x" }] },
    "deleting another user's contact": { page: ["/log/3/delete", {}], api: ["DELETE", "/api/qsos/3"] },
    "credentials that are not complete": {
      page: ["/settings/credentials/second", {}],
      api: ["PUT", "/api/services/second/credentials", {}],
    },
    "forgetting credentials that are not there": {
      page: ["/settings/credentials/second/clear", {}],
      api: ["DELETE", "/api/services/second/credentials"],
    },
    "a schedule every thousand hours": {
      page: ["/settings/auto-sync", { source: "first", enabled: "on", intervalHours: "1000" }],
      api: ["PUT", "/auto-sync/settings", { first: { enabled: true, intervalHours: 1000 } }],
      hasOwnWords: true,
    },
    "undoing an import": { page: ["/jobs/1/undo", {}], api: ["POST", "/api/jobs/1/undo"] },
    "deleting a contact": { page: ["/log/1/delete", {}], api: ["DELETE", "/api/qsos/1"] },
  };

  test.each(Object.entries(ACTS))("%s", async (_, { page, api, hasOwnWords }) => {
    const [byPage, byInterface] = [await aHouse(), await aHouse()];

    const shown = await byPage.browser.post(page[0], form(page[1]), FORM);
    const answered = await byInterface.api.send(api[0], api[1], api[2] === undefined ? {} : { body: api[2] });

    const isDone = answered.status < 300;
    expect(shown.status).toBe(isDone ? 303 : answered.status);
    const words: string = answered.body?.error?.message.slice(0, 50) ?? "";
    if (!hasOwnWords) expect(unescaped(shown.text).includes(words)).toBe(true);
    expect(await logOf(byPage.app, byPage.app.bob.id)).toEqual(await logOf(byInterface.app, byInterface.app.bob.id));
  });
});
