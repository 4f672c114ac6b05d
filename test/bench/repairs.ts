/** A whole log repaired, reconciled, searched for duplicates and looked at as it was, and how long others wait meanwhile. */
import { storeLog } from "../support/log-generator.ts";
import { print } from "./figure.ts";
import { processorMsOf, qsologServing, withInstallation, type Running } from "./running-server.ts";

const CONTACTS = process.argv.includes("--quick") ? 20_000 : 100_000;
const LONGEST_REPAIR_S = (30 * CONTACTS) / 100_000;
const LONGEST_WAIT_MS = 200;
const LOOK_EVERY_MS = 50;

await withInstallation(async ({ db, userId, token, ...installation }) => {
  await storeLog(db, userId, { contacts: CONTACTS });
  const server = await qsologServing(installation);
  const ask = asking(server, token);
  const measured = measuring(server);
  const before = Date.now();
  await measured(`${CONTACTS} contacts reconciled`, () => ask("GET", "/api/reconcile"));
  await measured("  repaired", () => repaired(ask), LONGEST_REPAIR_S);
  await measured("  searched for duplicates", () => ask("GET", "/api/duplicates"));
  await measured("  as the log was, the first time", () => untilThere(() => ask("GET", `/api/stats?asOf=${before}`)));
  await measured("  as the log was, again", () => ask("GET", `/api/awards?asOf=${before}`));
  await server.stop();
});

type Ask = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: any }>;

function asking({ url }: Running, token: string): Ask {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(url + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
}

async function repaired(ask: Ask): Promise<void> {
  const { body } = await ask("POST", "/api/repairs", { filter: {}, set: { MY_RIG: "K3" } });
  for (;;) {
    const { job } = (await ask("GET", `/api/jobs/${body.job.id}`)).body;
    if (job.status === "completed") return;
    if (job.status === "failed") throw new Error(job.error.message);
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** A large log takes longer than a server lets anybody wait. */
async function untilThere(ask: () => Promise<{ status: number; body: any }>): Promise<void> {
  for (;;) {
    const { status, body } = await ask();
    if (status === 200) return;
    if (status !== 503) throw new Error(JSON.stringify(body));
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

/** Somebody else asks for the simplest answer all the while, from a thread of their own. */
function measuring({ url, pid }: Running) {
  const onlooker = new Worker(new URL("./onlooker.ts", import.meta.url), { ref: false });
  const longestWait = (words: string) =>
    new Promise<number>((resolve) => {
      onlooker.onmessage = ({ data }: MessageEvent<number>) => resolve(data);
      onlooker.postMessage(words);
    });
  const begun = longestWait(`${url}/healthz`);
  return async (name: string, work: () => Promise<unknown>, limit?: number): Promise<void> => {
    await begun;
    await longestWait("");
    const [before, processor] = [performance.now(), processorMsOf(pid)];
    await work();
    print({ name, value: (performance.now() - before) / 1_000, unit: "s", limit });
    print({ name: "    of the processor", value: (processorMsOf(pid) - processor) / 1_000, unit: "s" });
    print({ name: "    longest wait of others", value: await longestWait(""), unit: "ms", limit: LONGEST_WAIT_MS });
  };
}
