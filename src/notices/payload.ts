import { version } from "../../package.json";
import type { Notice, TargetKind } from "../domain/people/notice.ts";
import type { Message } from "../kernel/mail.ts";
import type { HttpRequest } from "./http-post.ts";

/** The encrypted part of a target. */
export interface Address {
  url: string;
  /** The signing key of a webhook, or the access token of ntfy if it needs one. */
  secret: string | null;
}

export interface Sending {
  /** The same for every attempt, so that the target can recognise duplicates; null for a test. */
  id: number | null;
  at: number;
  notice: Notice;
  /** The page of the job, if the server's public address is known. */
  link: string | null;
}

/** The HTTP request for a notification to this kind of target. */
export const buildRequest = (kind: Exclude<TargetKind, "mail">, address: Address, sending: Sending): HttpRequest =>
  kind === "webhook" ? buildWebhookRequest(address, sending) : buildNtfyRequest(address, sending);

export const buildMessage = ({ url }: Address, { notice: { title, text }, link }: Sending): Message => ({
  to: decodeURIComponent(new URL(url).pathname),
  subject: title,
  text: link === null ? text : `${text}\n\n${link}`,
});

/** The signature includes the time, to prevent replay. */
const buildWebhookRequest = ({ url, secret }: Address, { id, at, notice, link }: Sending): HttpRequest => {
  const body = JSON.stringify({ id, at, ...notice, link });
  const signature = new Bun.CryptoHasher("sha256", secret ?? "").update(`${at}.${body}`).digest("hex");
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

/** Everything is in the body because headers can only contain ASCII. */
const buildNtfyRequest = ({ url, secret }: Address, { notice, link }: Sending): HttpRequest => {
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
  backup_failed: "warning",
  new_worked: "satellite",
  new_confirmed: "white_check_mark",
  leftovers: "grey_question",
  test: "wave",
};
