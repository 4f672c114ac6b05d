import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DAY } from "../../src/kernel/clock.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { contentsOf } from "../../src/storage/engine/sqlite-file.ts";
import { afterTest } from "../support/cleanup.ts";
import { aShell, ROOT } from "../support/qsolog.ts";

setDefaultTimeout(120_000);

const textOf = (paper: string) => readFileSync(join(ROOT, paper), "utf8");
const KEY = "AB12-CD34-EF56";
const SECRETS: Record<string, string> = {
  admin: "correct horse battery",
  lotw: "lotw words",
  first: "lotw words",
  qrz: KEY,
};
const CONTACTS = 12;

/** The commands of the code block after these words. */
const commandsAfter = (paper: string, words: string): string[][] => {
  const text = textOf(paper);
  const [, block] = /```sh\n([\s\S]*?)```/.exec(text.slice(text.indexOf(words)))!;
  return block!
    .split("\n")
    .map((line) => line.replace(/\s+#.*/, "").split(" "))
    .filter(([program]) => program === "qsolog")
    .map(([, ...rest]) => rest);
};

/** Both services with contacts of W1ABC: LoTW confirms half of them, QRZ has all. */
const theServices = () => {
  const services = new SimulatedServices({ clock: Date.now, random: () => 0.5, sleep: async () => {} });
  services.start();
  afterTest(() => services.stop());
  const { store } = services;
  store.addUser({ login: "w1abc", password: SECRETS.lotw!, calls: ["W1ABC"] });
  const book = store.addBook({ key: KEY, call: "W1ABC", subscribed: true, bookid: 1, name: "W1ABC" });
  const upload = (call: string, at: number, isConfirmed: boolean) => {
    const qsl = isConfirmed ? { rxqsl: Date.now(), detail: { DXCC: "291", STATE: "WI" } } : undefined;
    store.upload({ own: "W1ABC", call, band: "20m", mode: "CW", at, qsl });
  };
  for (let number = 0; number < CONTACTS; number++) {
    const at = Date.UTC(2026, 0, 2 + number, 12);
    const call = `K${number % 10}AB${String.fromCharCode(65 + number)}`;
    const day = new Date(at).toISOString().slice(0, 10).replaceAll("-", "");
    const record = { CALL: call, BAND: "20m", MODE: "CW", QSO_DATE: day, TIME_ON: "1200", STATION_CALLSIGN: "W1ABC" };
    store.addRecord(book, { modified: at, fields: { ...record, DXCC: "291" } });
    upload(call, at, number % 2 === 0);
  }
  /** Adds two contacts, and makes a service busy after its first answer. */
  const failNextTime = () => {
    upload("K1ZZZ", Date.now() - DAY, true);
    upload("K2ZZZ", Date.now() - DAY, false);
    let asked = 0;
    services.first.fail({ kind: "busy", when: () => ++asked === 2 });
  };
  return { services, failNextTime };
};

const aNewUser = () => {
  const { services, failNextTime } = theServices();
  const qsolog = aShell();
  const env = { QSOLOG_FIRST_URL: services.firstUrl, QSOLOG_SECOND_URL: services.secondUrl, QSOLOG_PACE: "0" };
  const secretFor = ([group, verb, what]: readonly string[]) =>
    verb === "create" ? SECRETS.admin! : verb === "set" && group === "service" ? (SECRETS[what!] ?? "") : "";
  const type = (words: readonly string[]) => qsolog(words, { env: { ...env, QSOLOG_PASSWORD: secretFor(words) } });
  /** The command must succeed, unless an exit code is given. */
  const works = async (words: readonly string[], code = 0) => {
    const answer = await type(words);
    expect({ typed: words.join(" "), ...answer }).toMatchObject({ typed: words.join(" "), code });
    return answer.out;
  };
  const statistics = async () => JSON.parse((await type(["stats", "--json"])).out);
  return { qsolog, type, works, statistics, failNextTime };
};

test("the commands of the README and of docs/using.md work when typed into a shell", async () => {
  const { qsolog, works, statistics, failNextTime } = aNewUser();
  const begin = commandsAfter("README.md", "**The same from a shell.**");
  const oneDay = commandsAfter("docs/using.md", "## Sync and roll back");
  expect([begin.length, oneDay.length]).toEqual([12, 6]);

  for (const words of begin) await works(words);
  const before = await statistics();
  expect(before).toMatchObject({ total: CONTACTS, confirmation: { first: CONTACTS / 2 } });
  expect(contentsOf(join(qsolog.dataDir, "after-the-first-sync.db"))).toMatchObject({ users: 1, qsos: CONTACTS });

  failNextTime();
  const [sync, list, show, preview, rollBack, again] = oneDay as [string[], string[], string[], ...string[][]];
  await works(sync, 1);
  expect(await statistics()).toMatchObject({ total: CONTACTS + 2 });
  expect(await works(list)).toContain("3    LoTW    failed");
  expect(await works(show)).toContain("K1ZZZ");
  expect(await works(preview!)).toContain("This would change: 2 QSOs deleted");
  await works([...rollBack!, "--yes"]);
  expect(await statistics()).toEqual(before);
  await works(again!);
  expect(await statistics()).toMatchObject({ total: CONTACTS + 2 });

  const [bring, undo, take] = commandsAfter("docs/using.md", "## Import and export") as [string[], string[], string[]];
  writeFileSync(
    join(qsolog.dataDir, "old-log.adi"),
    "<EOH><CALL:5>N0OLD <QSO_DATE:8>19990718 <TIME_ON:6>014300 <BAND:3>20m <MODE:2>CW <EOR>",
  );
  expect(await works(bring)).toContain(`To undo it: qsolog ${undo.join(" ")}`);
  await works([...undo, "--yes"]);
  await works(take);
  expect(readFileSync(join(qsolog.dataDir, "mine.adi"), "utf8")).not.toContain("N0OLD");
});

test("errors in the first minutes say what to do next", async () => {
  const { works, type } = aNewUser();

  expect((await type(["stats"])).err).toContain("There is no database");
  expect((await type(["sync", "second"])).err).toContain("qsolog admin create NAME");
  await works(["admin", "create", "ann", "--callsign", "W1ABC"]);
  expect(await type(["sync", "first"])).toMatchObject({ code: 3, err: expect.stringContaining("is not set up") });
  await works(["service", "set", "first", "--username", "w9xyz"]);
  expect(await type(["service", "test", "first"])).toMatchObject({ code: 1 });
  expect(await type(["sync", "first"])).toMatchObject({ code: 1, out: expect.stringContaining("failed") });
});

test("every file that docs/install.md installs exists", () => {
  const installed = [...textOf("docs/install.md").matchAll(/^install .*?(deploy\/\S+)/gm)].map(([, place]) => place!);
  const missing = installed.filter((place) => [...new Bun.Glob(place).scanSync(ROOT)].length === 0);
  expect([installed.length, missing]).toEqual([4, []]);
});
