/** The longest that another client waits while somebody asks for what is dear. */
import { createToken } from "../../src/people/tokens.ts";
import * as users from "../../src/storage/users.ts";
import { writeCursor } from "../../src/storage/page-cursor.ts";
import { run } from "../../src/storage/unit.ts";
import { print } from "./figure.ts";
import { qsologServing, withInstallation, type Installation } from "./running-server.ts";

const isQuick = process.argv.includes("--quick");
const CONTACTS = isQuick ? 200_000 : 1_000_000;
const LONGEST_WAIT_MS = 50;
const LONGEST_SEARCH_MS = 2_000;
const PASSWORD = "as long as it takes";
/** A job may go on behind its answer. */
const AFTERMATH_MS = 300;
/** What else the machine does makes somebody wait too: what holds the server up does so each time. */
const ROUNDS = 10;

/** A log of so many contacts, with words to search through. */
async function fill({ db, userId }: Installation): Promise<void> {
  const hash = await Bun.password.hash(PASSWORD);
  await db.write(() => users.setPasswordHash(userId, hash));
  await db.write(
    () => run`INSERT INTO qsos (user_id, created_at, updated_at, call, started_at, year, name, qth, comment, gridsquare, band)
              WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CONTACTS})
              SELECT ${userId}, 0, 0, 'K' || (i % 10) || 'ABC', i * 60000, 1970 + i % 50, 'Name ' || i, 'Town ' || i % 977,
                     'a comment of some length about nothing in particular, number ' || i, 'KN04', '20m' FROM n`,
  );
  await db.analyze();
}

/** Of a program that logs. */
const keyOf = async ({ db, userId }: Installation): Promise<string> => {
  const random = (count: number) => crypto.getRandomValues(new Uint8Array(count));
  return (await createToken({ db, clock: Date.now, random }, userId, { name: "Shack", scope: "feed" })).token;
};

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

/** Each time from another address, so that no throttle makes it easier. */
function asking(url: string, token: string, address: string): Ask {
  return async (path, init = {}) => {
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": address };
    const response = await fetch(url + path, { ...init, headers });
    await response.arrayBuffer();
    if (response.status === 500) throw new Error(`${path} was answered with 500.`);
    return response;
  };
}

const post = (ask: Ask, path: string, body: string) => ask(path, { method: "POST", body });
const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

const megabyteOf = (piece: (n: number) => string): string => {
  const length = piece(100_000).length;
  return Array.from({ length: Math.floor(1_000_000 / length) }, (_, n) => piece(n)).join("");
};

const RECORD = "<CALL:5>K1ABC<QSO_DATE:8>20200101<TIME_ON:4>1000<BAND:3>20m<MODE:2>CW";

const ENDLESS = {
  "one field again and again": megabyteOf(() => "<A:1>b"),
  "other fields without end": megabyteOf((n) => `<F${n}:1>b`),
  "lengths that do not fit": megabyteOf(() => "<A:9>b"),
  "values without end": megabyteOf(() => "<A:999999>é"),
  brackets: megabyteOf(() => "<"),
  "records without a call": megabyteOf(() => "<BAND:3>20m<EOR>"),
  "comments of a megabyte": `${RECORD}<COMMENT:900000>${"y".repeat(900_000)}<EOR>`.repeat(40),
};

/** Of a log that holds a contact each minute. */
const THIRTY_THOUSAND = "from=1970-01-01&to=1970-01-21";
const TOLD_AT_ONCE = 600;
/** What is told once more is found and not written: each time it is new. */
let told = 0;

const tell = (ask: Ask, kind: "contact" | "edit" | "delete", band: string) =>
  post(
    ask,
    "/api/feed",
    JSON.stringify({
      client: "bench",
      told: Array.from({ length: TOLD_AT_ONCE }, (_, n) => ({
        kind,
        name: `${told} ${n}`,
        fields: { CALL: `N${told}A${n}`, QSO_DATE: "20240101", TIME_ON: "1200", BAND: band, MODE: "CW" },
      })),
    }),
  );

/** Programs that log: many contacts, corrected, and taken back. */
const tellingMuch = async (ask: Ask): Promise<void> => {
  told += 1;
  await tell(ask, "contact", "20M");
  await tell(ask, "edit", "40M");
  await tell(ask, "delete", "40M");
};

const recordsOf = (count: number): string => {
  told += 1;
  return Array.from({ length: count }, (_, n) => {
    const call = `N${told}B${n}`;
    return `<CALL:${call.length}>${call}<QSO_DATE:8>20240101<TIME_ON:4>1200<BAND:3>20M<MODE:2>CW<EOR>`;
  }).join("");
};

/** As programs that know Wavelog ask. */
const wavelogFloods = (key: string): Floods => ({
  "9,000 records of a program at once": (ask) =>
    post(ask, "/api/qso", JSON.stringify({ key, type: "adif", string: recordsOf(9_000) })),
  "20,000 contacts that a program fetches": (ask) =>
    post(ask, "/api/get_contacts_adif", JSON.stringify({ key, fetchfromid: 0, limit: 20_000 })),
  "four programs that fetch 20,000 contacts each": (ask) =>
    times(4, () => post(ask, "/api/get_contacts_adif", JSON.stringify({ key, fetchfromid: 0, limit: 20_000 }))),
});

type Floods = Record<string, (ask: Ask) => Promise<unknown>>;

const FLOODS: Floods = {
  ...Object.fromEntries(
    ["adi", "adx", "csv", "jsonl"].map((format) => [
      `30,000 contacts as ${format}`,
      (ask: Ask) => ask(`/api/qsos/export?format=${format}&${THIRTY_THOUSAND}`),
    ]),
  ),
  "an export that finds next to nothing": (ask) => ask("/api/qsos/export?call=*C*D*"),
  "eight times 30,000 contacts at once": (ask) => times(8, () => ask(`/api/qsos/export?${THIRTY_THOUSAND}`)),
  "600 contacts told, corrected and taken back": tellingMuch,
  "1,000 callsigns asked about": (ask) =>
    post(
      ask,
      "/api/need",
      JSON.stringify({ asked: Array.from({ length: 1_000 }, (_, n) => ({ call: `K${n % 10}A${n}` })) }),
    ),
  "search over a large log": (ask) => ask("/api/qsos?q=nobody+has+this"),
  "search in another order": (ask) => ask("/api/qsos?q=number&sort=-mode"),
  "six searches at once": (ask) => times(6, (n) => ask(`/api/qsos?q=nobody${n}`)),
  "a large log by a calculated order": (ask) => ask("/api/qsos?sort=band"),
  "an ADIF of figures without end": (ask) =>
    post(ask, "/api/qsos/import?dryRun=true", `x<EOH><CALL:5>K1ABC<FREQ:100001>${"9".repeat(100_000)}x<EOR>`),
  "an ADIF of line ends without end": (ask) =>
    post(ask, "/api/qsos/import?dryRun=true", `x<EOH><CALL:5>K1ABC<COMMENT:100000>${"\r".repeat(100_000)}<EOR>`),
  ...Object.fromEntries(
    Object.entries(ENDLESS).map(([name, text]) => [
      `an ADIF of ${name}`,
      (ask: Ask) => post(ask, "/api/qsos/import?dryRun=true", `x<EOH>${text}<EOR>`),
    ]),
  ),
  "paths of 15 KB": (ask) => times(100, () => ask(`/${"a".repeat(15_000)}`)),
  "200 sign-ins at once": (ask) =>
    times(200, (n) => post(ask, "/api/auth/login", JSON.stringify({ username: `user${n}`, password: "wrong" }))),
  "JSON nested without end": (ask) => post(ask, "/api/qsos", `{"call":${"[".repeat(400_000)}${"]".repeat(400_000)}}`),
  "a megabyte of JSON fields": (ask) =>
    post(ask, "/api/qsos", `{${Array.from({ length: 60_000 }, (_, n) => `"field${n}":1`).join()}}`),
  "cursors made up": (ask) => times(100, (n) => ask(`/api/qsos?cursor=${writeCursor([n], ["x".repeat(900), n])}`)),
};

/** What a server loads when it is first asked for it is no part of what is measured. */
const WARM_UP: readonly ((ask: Ask) => Promise<unknown>)[] = [
  (ask) => ask("/api/qsos?q=warm&from=1990-01-01&to=1990-01-02"),
  (ask) =>
    post(ask, "/api/qsos", JSON.stringify({ call: "K1ABC", startedAt: "2020-01-01 10:00", band: "20m", mode: "CW" })),
  (ask) =>
    post(
      ask,
      "/api/qsos/import?dryRun=true",
      "x<EOH><CALL:5>K1ABC<QSO_DATE:8>20200101<TIME_ON:4>1000<BAND:3>20m<MODE:2>CW<EOR>",
    ),
  (ask) => post(ask, "/api/auth/login", JSON.stringify({ username: "owner", password: PASSWORD })),
  (ask) => post(ask, "/api/need", JSON.stringify({ asked: [{ call: "K1ABC" }] })),
  tellingMuch,
  (ask) => ask("/api/qsos/export?from=1970-01-01&to=1970-01-02"),
  (ask) => ask("/nothing"),
  () => Bun.sleep(1_000),
];

/** Somebody else, in a thread of its own so that only the server's time counts. */
class Onlooker {
  readonly #thread = new Worker(new URL("./onlooker.ts", import.meta.url));

  constructor(url: string) {
    void this.longestWait(`${url}/healthz`);
  }

  /** Since it was asked last. */
  longestWait(word = ""): Promise<number> {
    const answer = new Promise<number>((resolve) => {
      this.#thread.addEventListener("message", ({ data }) => resolve(data as number), { once: true });
    });
    this.#thread.postMessage(word);
    return answer;
  }

  stop(): void {
    this.#thread.terminate();
  }
}

await withInstallation(async (installation) => {
  await fill(installation);
  const server = await qsologServing(installation, { QSOLOG_TRUSTED_PROXIES: "127.0.0.1" });
  let visits = 0;
  const anAsker = () => asking(server.url, installation.token, `198.51.100.${++visits}`);
  for (const warm of WARM_UP) await warm(anAsker());
  const onlooker = new Onlooker(server.url);
  await Bun.sleep(500);
  const key = await keyOf(installation);
  for (const [name, flood] of Object.entries({ ...FLOODS, ...wavelogFloods(key) })) {
    let [wait, took] = [Infinity, Infinity];
    for (let round = 0; round < ROUNDS && (wait > LONGEST_WAIT_MS || round === 0); round++) {
      await onlooker.longestWait();
      const began = performance.now();
      await flood(anAsker());
      took = Math.min(took, performance.now() - began);
      await Bun.sleep(AFTERMATH_MS);
      wait = Math.min(wait, await onlooker.longestWait());
    }
    print({ name: `${name}: another waits`, value: wait, unit: "ms", limit: LONGEST_WAIT_MS });
    if (name.includes("search")) {
      print({ name: `${name}: the answer`, value: took, unit: "ms", limit: LONGEST_SEARCH_MS });
    }
  }
  onlooker.stop();
  await server.stop();
});
