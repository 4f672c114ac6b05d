import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { HOUR } from "../../src/kernel/clock.ts";
import { Uploads } from "../../src/logbook/uploads.ts";
import { fileIn } from "../../src/server/http/multipart.ts";
import { createToken } from "../../src/people/tokens.ts";
import { aCommandLine } from "../cli/services.ts";
import { type Asker, testApp, type TestApp } from "../support/app.ts";
import { placeOf } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";
import { testWorld } from "../support/world.ts";

setDefaultTimeout(120_000);

const MEGABYTE = 1_048_576;
const RECORD = "<CALL:5>K1ABC<QSO_DATE:8>20260701<TIME_ON:4>1200<BAND:3>20m<MODE:2>CW<EOR>\n";
const FORM = { "content-type": "multipart/form-data; boundary=x" };
const formOf = (file: string) =>
  `--x\r\ncontent-disposition: form-data; name="dryRun"\r\n\r\ntrue\r\n` +
  `--x\r\nContent-Disposition: form-data; name="file"; filename="a.adi"\r\ncontent-type: text/plain\r\n\r\n${file}\r\n--x--\r\n`;

const spooled = ({ dataDir }: TestApp): string[] => {
  try {
    return readdirSync(join(dataDir, "spool"));
  } catch {
    return [];
  }
};

async function* piecesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const fileOf = async (form: string, size: number): Promise<string> => {
  const found: Buffer[] = [];
  for await (const piece of fileIn(piecesOf(form, size), "x", "file")) found.push(piece);
  return Buffer.concat(found).toString();
};

describe("the file in a form", () => {
  test.each([1, 2, 3, 7, 64, 100_000])(
    "is found in chunks of %d bytes, even if it contains parts of the boundary",
    async (size) => {
      const file = `a\r\n--y\r\n--\r\n-\r\n--${"X"}\r\n\r\nб`;

      expect(await fileOf(formOf(file), size)).toBe(file);
      expect(await fileOf(formOf(""), size)).toBe("");
    },
  );

  test.each([
    ["without an end", formOf("abc").slice(0, -8)],
    ["that is empty", ""],
    ["without a file", '--x\r\ncontent-disposition: form-data; name="other"; filename="a"\r\n\r\nabc\r\n--x--'],
    ["of a field of that name", '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\nabc\r\n--x--'],
    ["with endless headers", `--x\r\n${"a: b\r\n".repeat(9_000)}`],
    ["that is none", "abc"],
  ])("is refused in a form %s", async (_, form) => {
    for (const size of [1, 100_000]) {
      expect(await fileOf(form, size).catch((error) => error.code)).toBe("invalid");
    }
  });

  const any = (...texts: string[]) => fc.constantFrom(...texts);
  const blank = any("", " ", "  ", "\t", "\r\n ", "\r\n\t");
  const legal = fc
    .tuple(
      any("Content-Disposition", "content-disposition", "CONTENT-DISPOSITION"),
      any("form-data", "Form-Data"),
      any('name="file"', "name=file", 'Name="file"', "NAME=file", 'name="fi\\le"'),
      any(
        'filename="a.adi"',
        "filename=a.adi",
        'FileName=""',
        "filename*=UTF-8''%e2%82%ac.adi",
        'filename="a;name=\\"x\\""',
      ),
      fc.boolean(),
      fc.subarray(["x=1", 'x="; name=other"', "modification-date=now"]),
      fc.array(blank, { minLength: 12, maxLength: 12 }),
      any("", "content-type: text/plain\r\n", "Content-Type: text/plain\r\ncontent-transfer-encoding: 8bit\r\n"),
      any("", " ", "\t "),
    )
    .map(([header, type, name, filename, isNameLast, others, blanks, more, padding]) => {
      const two = isNameLast ? [filename, ...others, name] : [name, ...others, filename];
      let at = 0;
      const words = two.map((one) => `${blanks[at++]};${blanks[at++]}${one}`).join("");
      return `--x${padding}\r\n${more}${header}:${blanks[at]}${type}${words}\r\n\r\nabc\r\n--x--${padding}\r\n`;
    });

  test("is found with every spelling of its headers that the standards allow", async () => {
    await fc.assert(
      fc.asyncProperty(legal, async (form) => {
        expect(await fileOf(form, 100_000)).toBe("abc");
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["another parameter names it", 'form-data; name="other"; x="; name=file"; filename="a"'],
    ["another parameter is called filename", 'form-data; name="file"; x="; filename=a"'],
    ["it is an attachment", 'attachment; name="file"; filename="a"'],
    ["a quote is missing", 'form-data; name="file; filename="a"'],
    ["words follow a value", 'form-data; name="file" x; filename="a"'],
  ])("is not found if %s", async (_, disposition) => {
    const form = `--x\r\nContent-Disposition: ${disposition}\r\n\r\nabc\r\n--x--`;
    expect(await fileOf(form, 100_000).catch((error) => error.code)).toBe("invalid");
  });

  // Defence: uploads are measured while they arrive and are held on disk only
  test("is imported with or without a declared length, and a broken form leaves nothing", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);

    const whole = await bob.post("/api/qsos/import", formOf(RECORD), FORM);
    await app.runner.idle();
    const pieces = piecesOf(formOf(RECORD), 10);
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
    const inPieces = await bob.post("/api/qsos/import?dryRun=true", stream, FORM);
    await app.runner.idle();
    const broken = await bob.post("/api/qsos/import", "--x\r\n", FORM);
    const nameless = await bob.post("/api/qsos/import", formOf(RECORD), { "content-type": "multipart/form-data" });

    expect([whole.status, inPieces.status, broken.status, nameless.status]).toEqual([201, 201, 400, 400]);
    expect((await bob.get("/api/qsos")).body.total).toBe(1);
    expect(spooled(app)).toEqual([]);
  });
});

/** A body that goes on until it is let go. */
const held = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reads += 1;
        if (reads > 1) await promise;
        controller.enqueue(Buffer.from(reads > 1 ? RECORD : "log <EOH>\n"));
        if (reads > 1) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return { body, letGo: resolve, reads: () => reads };
};

// Defence: each user has one upload at a time and an hourly limit
describe("several uploads of a user", () => {
  const start = (asker: Asker, body: unknown) => asker.post("/api/qsos/import", body);

  test("are refused except one, before they are read, and other users are not affected", async () => {
    const app = await testApp();
    const [bob, eve] = [await app.as(app.bob), await app.as(app.eve)];
    const [first, second] = [held(), held()];
    const answer = start(bob, first.body);
    while (first.reads() < 1) await Bun.sleep(1);

    const refused = await start(bob, second.body);
    const others = await start(eve, RECORD);

    expect([refused.status, refused.body.error.rule]).toEqual([409, "upload_active"]);
    expect(second.reads()).toBe(0);
    expect(others.status).toBe(201);
    const progress = async (person: Asker, waited = 0) =>
      String((await person.get(`/log/import/progress?waited=${waited}`, { accept: "text/html" })).text);
    const browser = await app.browser(app.bob);
    expect(await progress(browser)).toMatch(/1 kB uploaded/);
    // Nothing comes from Eve any more: she is asked some times, and no longer.
    const hers = await app.browser(app.eve);
    expect(await progress(hers)).toContain('hx-trigger="load');
    expect(await progress(hers, 5)).not.toContain("hx-trigger");
    first.letGo();
    expect((await answer).status).toBe(201);
    await app.runner.idle();
    expect((await start(bob, RECORD)).status).toBe(201);
    await app.runner.idle();
  });

  test("are refused while an import is running", async () => {
    const app = await testApp();
    const bob = await app.as(app.bob);
    const { create } = await import("../../src/storage/jobs/sync-jobs.ts");
    await app.db.write(() => create({ userId: app.bob.id, source: "file", trigger: "manual" }, app.clock()));
    const body = held();

    const refused = await start(bob, body.body);

    expect([refused.status, refused.body.error.rule, body.reads()]).toEqual([409, "job_active", 0]);
  });

  test("are limited per hour, in all processes together", async () => {
    const { db } = await testWorld();
    let now = 0;
    const aProcess = () => new Uploads({ db, clock: () => now }, { portions: 10, bytes: 10 });
    const [here, there] = [aProcess(), aProcess()];
    const send = (bytes: number, uploads = here) => uploads.one(1, async (count) => count(bytes));
    await send(55);
    await send(4, there);

    expect(await send(60, there).catch(({ code, retryAfterSeconds }) => [code, retryAfterSeconds])).toEqual([
      "rate_limited",
      3600,
    ]);
    expect(await here.one(1, async () => "read").catch(({ code }) => code)).toBe("rate_limited");
    await here.one(2, async (count) => count(60));
    now = HOUR;
    await send(60);
  });
});

// Defence: uploads are measured while they arrive and are held on disk only
test("of 190 MB without a declared length need little memory", async () => {
  const { world, bob } = await aCommandLine();
  const { token } = await createToken(world, bob.id, { name: "upload", scope: "write" });
  const { child, url } = await serving(placeOf(world.config));
  const megabyte = Buffer.alloc(MEGABYTE, "x".repeat(77) + "<EOR>\n");
  let sent = 0;
  const body = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(0);
      if (sent === 0) controller.enqueue(Buffer.from(`${formOf("").slice(0, -9)}log <EOH>\n`));
      if (sent++ < 190) return controller.enqueue(megabyte);
      controller.enqueue(Buffer.from("\r\n--x--\r\n"));
      controller.close();
    },
  });
  const headers = { authorization: `Bearer ${token}` };
  const send = (body: string | ReadableStream) =>
    fetch(`${url}/api/qsos/import?dryRun=true`, { method: "POST", body, headers: { ...FORM, ...headers } });
  expect((await send(formOf(RECORD))).status).toBe(201);
  const underWay = async () => (await fetch(`${url}/api/jobs`, { headers })).text();
  while (/"status":"(pending|running)"/.test(await underWay())) await Bun.sleep(5);
  const before = megabytesOf(child.pid, "VmHWM");

  expect((await send(body)).status).toBe(201);

  expect(sent).toBeGreaterThan(190);
  expect(megabytesOf(child.pid, "VmHWM") - before).toBeLessThan(150);
});

/** Of a process that runs, in its own words. */
const megabytesOf = (pid: number, figure: string): number =>
  Number(readFileSync(`/proc/${pid}/status`, "utf8").match(new RegExp(`${figure}:\\s+(\\d+) kB`))![1]) / 1024;
