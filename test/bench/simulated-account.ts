// A service with a large log, in a process of its own as the real ones are: its work is not ours. Says its address.
import type { Service } from "../../src/domain/source.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { aLog } from "../support/log-generator.ts";
import { asFirst, asSecond, HOME } from "../support/log-records.ts";

export const LOGIN = { username: "yu1test", password: "secret" };
export const BOOK_KEY = "AB12-CD34-EF56-7890";
export const NOW = Date.UTC(2026, 7, 1, 12);

/** The login of one of several accounts; the first has the usual name. */
export const loginOf = (account: number): string => (account === 0 ? LOGIN.username : `${LOGIN.username}${account}`);

/** Whoever asks may live at another time. */
const serve = (source: Service, records: number, accounts: number): void => {
  const services = new SimulatedServices({
    clock: accounts > 1 ? Date.now : () => NOW,
    random: Math.random,
    sleep: (ms) => Bun.sleep(Math.min(ms, 1)),
  });
  services.start();
  services.second.perMinute = Infinity;
  if (source === "first") {
    const report = aLog({ contacts: records }).map(asFirst).toArray();
    for (let account = 0; account < accounts; account++) {
      services.store.addUser({
        login: loginOf(account),
        password: LOGIN.password,
        calls: [HOME.call, `${HOME.call}/P`],
      });
      services.store.loadLotwReport(loginOf(account), report);
    }
  } else {
    const book = services.store.addBook({
      key: BOOK_KEY,
      call: HOME.call,
      subscribed: true,
      bookid: 1,
      name: "book",
    });
    services.store.loadQrzExport(book, aLog({ contacts: records }).map(asSecond));
  }
  const urls = { firstUrl: remembering(services.firstUrl), secondUrl: remembering(services.secondUrl) };
  console.log(JSON.stringify(urls));
};

/**
 * The address of a server that gives what it got for a question before at once: a real service makes its answers elsewhere,
 * while here it would take the processor from whoever is measured.
 */
const remembering = (url: string): string => {
  const answers = new Map<string, Promise<Blob>>();
  const ask = async (path: string, { method, headers }: Request, body: string): Promise<Blob> =>
    (await fetch(url + path, { method, headers, ...(body !== "" && { body }) })).blob();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const [{ pathname, search }, body] = [new URL(request.url), await request.text()];
      const key = `${request.method} ${pathname}${search} ${body}`;
      if (!answers.has(key)) answers.set(key, ask(pathname + search, request, body));
      return new Response(await answers.get(key));
    },
  });
  return server.url.origin;
};

/** Starts one in a process of its own. */
export const simulated = async (source: Service, records: number, accounts = 1) => {
  const words = [process.execPath, import.meta.path, source, String(records), String(accounts)];
  const services = Bun.spawn(words, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const piece of services.stdout) {
    text += Buffer.from(piece).toString();
    if (text.includes("\n")) break;
  }
  return { ...(JSON.parse(text) as { firstUrl: string; secondUrl: string }), stop: () => services.kill() };
};

if (import.meta.main) {
  serve(process.argv[2] as Service, Number(process.argv[3]), Number(process.argv[4]));
}
