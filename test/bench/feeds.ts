/** Programs that log as if all shacks were on the air at once, and how many callsigns a second are looked up. */
import { NeedBook } from "../../src/awards/need.ts";
import { loadCallFacts } from "../../src/callsign/facts.ts";
import type { Asker } from "../../src/logbook/asker.ts";
import { needs } from "../../src/logbook/need.ts";
import { createToken } from "../../src/people/tokens.ts";
import { count } from "../../src/storage/qsos.ts";
import { storeLog } from "../support/log-generator.ts";
import { addUser } from "./database.ts";
import { TIME } from "../../src/time.ts";
import { enough, print } from "./figure.ts";
import { qsologServing, withInstallation, type Installation } from "./running-server.ts";

const isQuick = process.argv.includes("--quick");
const CLIENTS = 50;
const USERS = 10;
const CONTACTS_A_MINUTE = 1_000;
const SECONDS = isQuick ? 20 : 60;
const LONGEST_ANSWER_MS = 100;
const LOG = isQuick ? 20_000 : 100_000;
const LINES = 20_000;
const LEAST_A_SECOND = 10_000;
const AT_ONCE = 500;

const random = (length: number) => crypto.getRandomValues(new Uint8Array(length));

await withInstallation(async (installation) => {
  await feeding(installation);
  await lookingUp(installation);
});

/** Each program has a key of its own; several write into one log. */
async function feeding(installation: Installation): Promise<void> {
  const { db } = installation;
  const keys: string[] = [];
  for (let user = 0; user < USERS; user++) {
    const id = await addUser(db, `shack${user}`);
    await storeLog(db, id, { contacts: 2_000, seed: user + 1 });
    for (let n = 0; n < CLIENTS / USERS; n++) {
      const order = { name: `program ${n}`, scope: "feed" as const };
      keys.push((await createToken({ db, clock: Date.now, random }, id, order)).token);
    }
  }
  const before = await db.read(() => count());
  const server = await qsologServing(installation);
  const total = Math.round((CONTACTS_A_MINUTE * SECONDS) / 60);
  const taken: number[] = [];
  let refused = 0;
  const post = async (n: number) => {
    const call = `K${n % 10}${letters(n)}`;
    const string = `<CALL:${call.length}>${call}<QSO_DATE:8>20260801<TIME_ON:6>${clock(n)}<BAND:3>20m<MODE:3>FT8<EOR>`;
    const body = JSON.stringify({ key: keys[n % CLIENTS], type: "adif", string });
    const began = performance.now();
    const response = await fetch(`${server.url}/api/qso`, { method: "POST", body });
    await response.arrayBuffer();
    taken.push(performance.now() - began);
    if (response.status !== 201) refused += 1;
  };
  for (let n = 0; n < CLIENTS; n++) await post(n);
  taken.length = 0;
  const underWay: Promise<void>[] = [];
  const began = performance.now();
  for (let n = CLIENTS; n < total + CLIENTS; n++) {
    const due = began + ((n - CLIENTS) * 60_000) / CONTACTS_A_MINUTE;
    await Bun.sleep(Math.max(0, due - performance.now()));
    underWay.push(post(n));
  }
  await Promise.all(underWay);
  await server.stop();
  const added = (await db.read(() => count())) - before;
  taken.sort((a, b) => a - b);
  const at = (share: number) => taken[Math.min(taken.length - 1, Math.floor(taken.length * share))]!;
  const name = `${CONTACTS_A_MINUTE} contacts a minute, ${CLIENTS} programs`;
  print({ name: `${name}: median`, value: at(0.5), unit: "ms" });
  print({ name: `${name}: p99`, value: at(0.99), unit: "ms", limit: LONGEST_ANSWER_MS });
  print({ name: `${name}: lost or refused`, value: total + CLIENTS - added + refused, unit: "", limit: 0 });
}

function letters(n: number): string {
  return String.fromCharCode(65 + (n % 26), 65 + (Math.floor(n / 26) % 26), 65 + (Math.floor(n / 676) % 26));
}

function clock(n: number): string {
  const [hours, minutes, seconds] = [Math.floor(n / 3_600) % 24, Math.floor(n / 60) % 60, n % 60];
  return [hours, minutes, seconds].map((part) => String(part).padStart(2, "0")).join("");
}

async function lookingUp({ db, userId, dataDir }: Installation): Promise<void> {
  await storeLog(db, userId, { contacts: LOG, seed: 99 });
  const facts = await loadCallFacts(dataDir);
  const desk = { db, clock: Date.now, callFacts: async () => facts, ...TIME, needs: new NeedBook({ db }) };
  const asker: Asker = { id: userId, username: "owner", hand: "operator" };
  const asked = Array.from({ length: LINES }, (_, n) => ({
    call: `${["DL", "K", "JA", "VK", "PY", "G", "F", "EA"][n % 8]}${n % 10}${letters(n * 7)}`,
    band: ["20m", "17m", "10m", "40m"][n % 4]!,
    mode: ["CW", "FT8", "SSB"][n % 3]!,
  }));
  const first = performance.now();
  await needs(desk, asker, asked.slice(0, AT_ONCE));
  print({ name: `${LOG.toLocaleString("en")} QSOs, first look`, value: performance.now() - first, unit: "ms" });
  const began = performance.now();
  for (let at = 0; at < LINES; at += AT_ONCE) await needs(desk, asker, asked.slice(at, at + AT_ONCE));
  const value = LINES / ((performance.now() - began) / 1_000);
  enough({ name: "callsigns looked up", value, unit: "a second", least: LEAST_A_SECOND });
}
