import { AppError } from "./errors.ts";
import { SECOND } from "./clock.ts";

export interface Message {
  to: string;
  subject: string;
  text: string;
}

/** Sends a message, or throws with the reason. */
export type SendMail = (message: Message) => Promise<void>;

const PATIENCE_MS = 15 * SECOND;

/** Sends through an SMTP server: smtp:// uses STARTTLS if the server offers it, smtps:// is encrypted from the start. */
export const createMailer =
  (smtpUrl: string, from: string): SendMail =>
  async ({ to, subject, text }) => {
    const { createTransport } = await import("nodemailer");
    const { protocol, hostname, port, username, password, searchParams } = new URL(smtpUrl);
    const secure = protocol === "smtps:";
    const transport = createTransport({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number(port) || (secure ? 465 : 587),
      secure,
      requireTLS: searchParams.get("tls") === "required",
      ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    });
    try {
      await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
    } catch (error) {
      throw new AppError("upstream", describeFailure(hostname, (error as Error).message), { cause: error });
    } finally {
      transport.close();
    }
  };

const describeFailure = (hostname: string, reason: string): string =>
  /certificate|self.signed/i.test(reason)
    ? `qsolog does not trust the certificate of the mail server ${hostname}: ${reason}. No message was sent.`
    : `The mail server ${hostname} did not accept the message: ${reason}`;
