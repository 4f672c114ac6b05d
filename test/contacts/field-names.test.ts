import { expect, test } from "bun:test";
import { byOwner } from "../../src/logbook/caller.ts";
import { join } from "node:path";
import { readAdx } from "../../src/adif/adx.ts";
import { addQso, editQso } from "../../src/contacts/edit.ts";
import { exportLog } from "../../src/contacts/export.ts";
import { previewRepair, repair } from "../../src/logbook/repairs.ts";
import { feed } from "../../src/logbook/feeds.ts";
import { createToken } from "../../src/people/tokens.ts";
import { startImport } from "../../src/sync/source/file.ts";
import { read } from "../adif/reading.ts";
import { testApp, type TestApp } from "../support/app.ts";
import { aDirectory } from "../support/directory.ts";
import { logOf, said } from "../support/sync.ts";
import { aUser, testWorld } from "../support/world.ts";
import { aContact, exported } from "./log.ts";

const FORGED = "Y:1>z<EOR><CALL:5>W9EVI<QSO_DATE:8>20240202<TIME_ON:4>1300<BAND:3>20M<MODE:2>CW<EOR><A";
const HOSTILE = [FORGED, "EOR", "eoh", "APP_LoTW_EOF", "A>B", "Ä", "A".repeat(129)];
const GOOD = { EPC: "7", "SWEATER SIZE": "S", "APP_X_Y-Z.1": "v" };
const BASE = said("K1ABC", "2026-08-01 12:00", { MODE: "CW" }).fields;

const xml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const load = async (app: TestApp, text: string): Promise<void> => {
  const path = join(aDirectory(), "log");
  await Bun.write(path, text);
  const job = await startImport(app as never, app.runner, { userId: app.bob.id, path, trigger: "cli" });
  await app.runner.end(job.id);
};

const owner = ({ bob }: TestApp) => byOwner(bob);
const fieldsWith = (name: string) => ({ ...BASE, ...GOOD, [name]: "q" });
const refusal = { code: "invalid" };

/** Every way in which a field name gets into a log. */
const ENTRIES: Record<string, (app: TestApp) => Promise<void>> = {
  "a file in XML": (app) => {
    const elements = (own: Record<string, string>) =>
      Object.entries(own).map(([name, value]) => `<USERDEF FIELDNAME="${xml(name)}">${value}</USERDEF>`);
    const apps = HOSTILE.map((name) => `<APP PROGRAMID="X" FIELDNAME="${xml(name)}" TYPE="S&gt;zz">v</APP>`);
    const defined = HOSTILE.map((name) => `<USERDEF TYPE="N&gt;2&lt;EOH&gt;x" ENUM="{A,B}">${xml(name)}</USERDEF>`);
    const record = [
      ...Object.entries(BASE).map(([name, value]) => `<${name}>${value}</${name}>`),
      ...elements(GOOD),
      ...elements(Object.fromEntries(HOSTILE.map((name) => [name, "q"]))),
      ...apps,
      '<COMMENT TYPE="S&gt;zz">hello &lt;EOR&gt; world</COMMENT>',
    ];
    const header = `<HEADER><USERDEF TYPE="N">EPC</USERDEF>${defined.join("")}</HEADER>`;
    return load(app, `<ADX>${header}<RECORDS><RECORD>${record.join("")}</RECORD></RECORDS></ADX>`);
  },
  "the header and the records of a file": (app) => {
    const fields = { ...BASE, ...GOOD };
    const defined = ["EPC", ...HOSTILE].map((name, at) => `<USERDEF${at + 1}:${Buffer.byteLength(name)}:N>${name}`);
    const record = Object.entries(fields).map(([name, value]) => `<${name}:${value.length}>${value}`);
    return load(app, `x\n${defined.join("\n")}\n<EOH>\n${record.join("")}<EOR>\n`);
  },
  "a program's word": async (app) => {
    const tell = (fields: Record<string, string>) =>
      feed(app, owner(app), { client: "x", told: [{ kind: "contact", fields }] });
    for (const name of HOSTILE) await expect(tell(fieldsWith(name))).rejects.toMatchObject(refusal);
    await tell({ ...BASE, ...GOOD });
  },
  "a program that knows Wavelog": async (app) => {
    const { token } = await createToken(app, app.bob.id, { name: "k", scope: "feed", form: "v2" });
    const contact = { call: "K1ABC", band: "20m", mode: "CW", qso_date: "2026-08-01", time_on: "12:00" };
    const strange = Object.fromEntries(HOSTILE.map((name) => [name, "q"]));
    const request = new Request("http://localhost/api/v2/qso", {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ ...contact, ...GOOD, ...strange }),
    });
    expect((await app.server.handle(request)).status).toBe(201);
  },
  "what a person types": async (app) => {
    const typed = { call: "K1ABC", startedAt: "2026-08-01T12:00:00Z", band: "20m", mode: "CW" };
    const facts = await (app as never as { callFacts: () => Promise<never> }).callFacts();
    const { id } = await addQso(app, app.bob.id, { ...typed, extra: GOOD }, facts);
    for (const name of HOSTILE) {
      await expect(editQso(app, app.bob.id, id, { extra: { [name]: "q" } }, facts)).rejects.toMatchObject(refusal);
    }
  },
  "a repair": async (app) => {
    const facts = await (app as never as { callFacts: () => Promise<never> }).callFacts();
    const typed = { call: "K1ABC", startedAt: "2026-08-01T12:00:00Z", band: "20m", mode: "CW" };
    await addQso(app, app.bob.id, typed, facts);
    for (const name of HOSTILE) {
      const order = { filter: {}, set: { [name]: "q" } };
      await expect(previewRepair(app as never, owner(app), order as never)).rejects.toMatchObject(refusal);
      const cleared = { filter: {}, set: {}, clear: [name] };
      await expect(previewRepair(app as never, owner(app), cleared as never)).rejects.toMatchObject(refusal);
    }
    const { job } = await repair(app as never, owner(app), { filter: {}, set: GOOD });
    await app.runner.end(job.id);
  },
};

// Defence: a field name cannot forge a record in an export
test.each(Object.entries(ENTRIES))("%s accepts no field name that an export could not write", async (_, enter) => {
  const app = await testApp();

  await enter(app);

  const { records, header, problems } = read(await exported(app as never, app.bob.id));
  expect(records).toMatchObject([{ fields: { CALL: "K1ABC", ...GOOD } }]);
  expect(problems).toEqual([]);
  expect(header!.userDefs.every(({ name }) => name === "EPC")).toBe(true);
  const [qso, ...others] = await logOf(app as never, app.bob.id);
  expect(others).toEqual([]);
  const names = [qso!.own!.file?.fields, qso!.own!.typed].flatMap((fields) => Object.keys(fields ?? {}));
  expect(names.filter((name) => HOSTILE.includes(name) || /[^A-Z0-9_.\- ]|.{129}/.test(name))).toEqual([]);
});

test("invalid names stored by an earlier version do not break an export", async () => {
  const world = await testWorld();
  const { id } = await aUser(world, "bob");
  const fields = { ...BASE, ...GOOD, [FORGED]: "v", EOR: "x" };
  await aContact(world, id, { own: { file: { fields, types: { CALL: "S>3<EOR>" } } } });

  const [adi, adx] = [await exported(world, id), await asAdx(world, id)];

  expect(read(adi).records).toMatchObject([{ fields: { ...GOOD } }]);
  const records = [];
  for await (const batch of readAdx([Buffer.from(adx)] as never)) records.push(...batch.records);
  expect(records).toEqual(read(adi).records);
});

const asAdx = async (world: Parameters<typeof exportLog>[0], id: number) =>
  (await Array.fromAsync(exportLog(world, id, {}, { format: "adx" }))).join("");
