import { LOTW_PATH } from "../../src/simulated/lotw.ts";
import { QRZ_PATH } from "../../src/simulated/qrz.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import type { QrzBook, Upload } from "../../src/simulated/store.ts";

export const NOW = Date.UTC(2026, 7, 1, 10, 11, 12);
export const AGENT = "qsolog/0.1 (YU1TEST)";

/** Both services with one account each, a clock that the test sets, and helpers to send requests. */
export function aWorld() {
  let now = NOW;
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const services = new SimulatedServices({ clock: () => now, random: seeded(7), sleep });
  const { store, first, second } = services;
  services.start();
  store.addUser({ login: "yu1test", password: "secret", calls: ["YU1TEST", "YU1TEST/P"] });
  const book = store.addBook({
    key: "AB12-CD34-EF56",
    call: "YU1TEST",
    subscribed: true,
    bookid: 406135,
    name: "YU1TEST Logbook",
  });
  second.style.shuffleKeys = false;
  second.style.shuffleFields = false;

  const ask = (params: Record<string, string> = {}, init: RequestInit = {}) =>
    fetch(
      `${services.firstUrl}${LOTW_PATH}?${new URLSearchParams({ login: "yu1test", password: "secret", qso_query: "1", ...params })}`,
      init,
    );
  const post = (body: Record<string, string> | FormData, init: RequestInit = {}) =>
    fetch(services.secondUrl + QRZ_PATH, {
      method: "POST",
      headers: { "user-agent": AGENT },
      body: body instanceof FormData ? body : new URLSearchParams({ KEY: book.key, ...body }),
      ...init,
    });
  return {
    services,
    store,
    first,
    second,
    book,
    pauses,
    ask,
    post,
    report: async (params: Record<string, string> = {}) =>
      (await ask({ qso_qslsince: "1945-11-15", ...params })).text(),
    page: async (option: string) => (await post({ ACTION: "FETCH", OPTION: option })).text(),
    turn: (milliseconds: number) => (now += milliseconds),
    [Symbol.asyncDispose]: () => services.stop(),
  };
}

export function anUpload(details: Partial<Upload> = {}): Upload {
  return { own: "YU1TEST", call: "K9XYZ", band: "20m", mode: "CW", at: Date.UTC(2026, 6, 18, 1, 43, 45), ...details };
}

export function aRecord(fields: Record<string, string> = {}, modified = NOW) {
  return {
    modified,
    fields: { CALL: "K1ABC", BAND: "20m", MODE: "CW", QSO_DATE: "20260718", TIME_ON: "0143", DXCC: "291", ...fields },
  };
}

export function fillBook({ records }: QrzBook, count: number): void {
  for (let logid = 1; logid <= count; logid++) {
    const fields = { APP_QRZLOG_LOGID: String(logid), APP_QRZLOG_STATUS: logid % 2 ? "C" : "N", ...aRecord().fields };
    records.push({ logid, modified: NOW, fields });
  }
}

/** The worked calls of a report, in its order. */
export function callsOf(report: string): string[] {
  return [...report.matchAll(/^<CALL:\d+>(\S+)/gm)].map(([, call]) => call);
}

export function logidsOf(reply: string): number[] {
  return [...reply.matchAll(/app_qrzlog_logid:\d+&gt;(\d+)/g)].map(([, logid]) => Number(logid));
}

/** How a response ended. A matcher's `rejects` would block the server in this process. */
export function outcomeOf(answer: Promise<unknown>): Promise<"whole" | "broken off"> {
  return answer.then(
    () => "whole",
    () => "broken off",
  );
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
