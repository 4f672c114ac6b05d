// A service with a large log in a separate process, so that its work is not measured. Prints its address.
import type { Service } from "../../src/domain/jobs/source.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { aLog } from "../support/log-generator.ts";
import { asFirst, asSecond, HOME } from "../support/log-records.ts";
import { endedWithUs } from "./program.ts";
import { loadLotwReport, loadQrzExport } from "../simulated/load-samples.ts";

export const LOGIN = { username: "yu1test", password: "secret" };
export const BOOK_KEY = "AB12-CD34-EF56-7890";

/** Every third contact has a comment, so that searches have text to read. */
const COMMENTED = 3;

const serve = (source: Service, contacts: number): void => {
  const services = new SimulatedServices({
    clock: Date.now,
    random: Math.random,
    sleep: (ms) => Bun.sleep(Math.min(ms, 1)),
  });
  services.start();
  services.second.perMinute = Infinity;
  if (source === "first") {
    services.store.addUser({ login: LOGIN.username, password: LOGIN.password, calls: [HOME.call, `${HOME.call}/P`] });
    loadLotwReport(services.store, LOGIN.username, aLog({ contacts }).map(asFirst).toArray());
  } else {
    const book = services.store.addBook({
      key: BOOK_KEY,
      call: HOME.call,
      subscribed: true,
      bookid: 1,
      name: "book",
    });
    const records = aLog({ contacts }).map((contact, index) => {
      const record = asSecond(contact);
      if (index % COMMENTED === 0) record.fields.COMMENT = `Number ${index} in the log`;
      return record;
    });
    loadQrzExport(book, records);
  }
  console.log(remembering(source === "first" ? services.firstUrl : services.secondUrl));
};

/**
 * A proxy that caches the first answer to each request: a real service uses its own processor, while generating answers
 * here would take it from the measured program.
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

/** Starts a service in a separate process and returns its address. */
export const simulated = async (source: Service, contacts: number): Promise<string> => {
  const services = endedWithUs(
    Bun.spawn([process.execPath, import.meta.path, source, String(contacts)], {
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
  let text = "";
  for await (const piece of services.stdout) {
    text += Buffer.from(piece).toString();
    if (text.includes("\n")) break;
  }
  return text.trim();
};

if (import.meta.main) serve(process.argv[2] as Service, Number(process.argv[3]));
