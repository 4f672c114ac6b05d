import { MINUTE, SECOND, type CallOff } from "../../domain/clock.ts";
import { logVersion } from "../../logbook/statistics.ts";
import { pageRoute, type PageCall } from "../page-route.ts";

/** A page asks anew after this, so that nobody looks on whose session has ended. */
const LONGEST = 5 * MINUTE;
/** Proxies cut what is silent for longer. */
const SIGN_OF_LIFE_EVERY = 25 * SECOND;

/** Events while the log changes: the page then asks for what it shows. */
const events = async (call: PageCall): Promise<Response> => {
  const { app, asker, request } = call;
  const last = Number(request.headers.get("last-event-id") || Number.NaN);
  const version = Number.isSafeInteger(last) ? last : await logVersion(app, asker);
  const encoder = new TextEncoder();
  const ends: CallOff[] = [];
  const leave = () => {
    for (const end of ends.splice(0)) end();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const say = (text: string) => controller.enqueue(encoder.encode(text));
      const close = () => {
        leave();
        controller.close();
      };
      say(`id: ${version}\n\n`);
      ends.push(app.watch.follow(asker, version, (now) => say(`id: ${now}\nevent: changed\ndata: ${now}\n\n`)));
      ends.push(app.every(SIGN_OF_LIFE_EVERY, () => say(": here\n\n")));
      ends.push(app.after(LONGEST, close));
      ends.push(app.onStop(close));
      request.signal.addEventListener("abort", leave, { once: true });
    },
    cancel: leave,
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
};

export const livePages = [pageRoute({ path: "/events", access: "user" }, events)];
