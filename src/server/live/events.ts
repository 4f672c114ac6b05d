import { MINUTE, SECOND, type Cancel } from "../../kernel/clock.ts";
import { logVersion } from "../../logbook/statistics.ts";
import type { App } from "../../app.ts";
import { assertStillIn } from "../../auth/caller.ts";
import { admit, type Door, type Visit } from "../http/admit.ts";
import type { Address } from "../http/client-address.ts";
import { askerOf } from "../http/dispatch.ts";
import { UNBUFFERED } from "../http/response.ts";

/** After this time a page connects again, which checks its session. */
const LONGEST = 5 * MINUTE;
/** Proxies close connections that are silent for longer. */
const SIGN_OF_LIFE_EVERY = 25 * SECOND;

/** For pages only: API tokens are refused. */
const DOOR: Door = { method: "GET", access: "user", isPage: true };

/** Sends an event whenever the log changes. The page then reloads what it shows. */
const events = async (app: App, request: Request, address: Address): Promise<Response> => {
  const visit: Visit = { caller: null, address, headers: new Headers() };
  await admit(app, request, DOOR, visit, () => undefined);
  const caller = visit.caller!;
  const asker = askerOf(caller);
  const last = Number(request.headers.get("last-event-id") || Number.NaN);
  const version = Number.isSafeInteger(last) ? last : await logVersion(app, asker);
  const encoder = new TextEncoder();
  const ends: Cancel[] = [];
  const leave = () => {
    for (const end of ends.splice(0)) end();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (text: string) => controller.enqueue(encoder.encode(text));
      let isOpen = true;
      const close = () => {
        leave();
        if (isOpen) controller.close();
        isOpen = false;
      };
      /** Sends nothing to a session that has ended. */
      const tell = async (now: number) => {
        try {
          await app.db.read(() => assertStillIn(caller));
          if (isOpen) say(`id: ${now}\nevent: changed\ndata: ${now}\n\n`);
        } catch {
          close();
        }
      };
      say(`id: ${version}\n\n`);
      ends.push(app.watch.follow(asker, version, (now) => void tell(now)));
      ends.push(app.every(SIGN_OF_LIFE_EVERY, () => say(": here\n\n")));
      ends.push(app.after(LONGEST, close));
      ends.push(app.onStop(close));
      request.signal.addEventListener("abort", leave, { once: true });
    },
    cancel: leave,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", ...UNBUFFERED },
  });
};

export const liveEndpoints = (app: App) => [
  {
    method: "GET",
    path: "/events",
    handle: (request: Request, _params: Record<string, string>, address: Address) => events(app, request, address),
  },
];
