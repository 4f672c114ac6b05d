// A service with a large log, in a process of its own as the real ones are: its work is not ours. Prints its address.
import type { Service } from "../../src/domain/jobs/source.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { aLog } from "../support/log-generator.ts";
import { asFirst, asSecond, HOME } from "../support/log-records.ts";
import { endedWithUs } from "./program.ts";

export const LOGIN = { username: "yu1test", password: "secret" };
export const BOOK_KEY = "AB12-CD34-EF56-7890";

/** A third of the contacts have a comment, each one of its own, so that searches have something to read. */
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
    services.store.loadLotwReport(LOGIN.username, aLog({ contacts }).map(asFirst).toArray());
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
    services.store.loadQrzExport(book, records);
  }
  console.log(remembering(source === "first" ? services.firstUrl : services.secondUrl));
};

/**
 * The address of a server that repeats its first answer to a question immediately: a real service makes its answers
 * elsewhere, while here making them would take the processor from the program that is measured.
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

/** Starts one in a process of its own, and gives its address. */
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
