import { createHmac } from "node:crypto";
import { version } from "../../package.json";
import type { Notice, TargetKind } from "../domain/people/notice.ts";
import type { HttpRequest } from "./http-post.ts";

/** What is sealed of a target. */
export interface Address {
  url: string;
  /** A webhook's key for its signature; the access token of ntfy, where it wants one. */
  secret: string | null;
}

export interface Sending {
  /** The same for every attempt, so that a target can tell what it has already; null for a test. */
  id: number | null;
  at: number;
  notice: Notice;
  /** The page of the job, where the server's address is known. */
  link: string | null;
}

/** A notice as a target of this kind takes it. */
export const requestFor = (kind: TargetKind, address: Address, sending: Sending): HttpRequest =>
  kind === "webhook" ? forWebhook(address, sending) : forNtfy(address, sending);

/** The time is signed too, so that what was overheard cannot be sent again later. */
const forWebhook = ({ url, secret }: Address, { id, at, notice, link }: Sending): HttpRequest => {
  const body = JSON.stringify({ id, at, ...notice, link });
  const signature = createHmac("sha256", secret ?? "")
    .update(`${at}.${body}`)
    .digest("hex");
  return {
    url,
    body,
    headers: {
      ...COMMON,
      "x-qsolog-event": notice.event,
      "x-qsolog-delivery": String(id ?? "test"),
      "x-qsolog-timestamp": String(at),
      "x-qsolog-signature": `sha256=${signature}`,
    },
  };
};

/** Everything is in the body, because headers carry no letters beyond ASCII. */
const forNtfy = ({ url, secret }: Address, { notice, link }: Sending): HttpRequest => {
  const { title, text, event } = notice;
  const root = new URL(url);
  const [topic = "", ...path] = root.pathname.split("/").filter(Boolean).reverse();
  root.pathname = `/${path.reverse().join("/")}`;
  const body = JSON.stringify({
    topic: decodeURIComponent(topic),
    title,
    message: text,
    tags: [TAGS[event]],
    ...(link === null ? {} : { click: link }),
  });
  return {
    url: root.toString(),
    body,
    headers: { ...COMMON, ...(secret === null ? {} : { authorization: `Bearer ${secret}` }) },
  };
};

const COMMON = { "content-type": "application/json", "user-agent": `qsolog/${version}` };

const TAGS: Record<Notice["event"], string> = {
  sync_failed: "warning",
  new_worked: "satellite",
  new_confirmed: "white_check_mark",
  leftovers: "grey_question",
  test: "wave",
};
