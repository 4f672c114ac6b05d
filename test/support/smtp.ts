import { createServer, type Socket } from "node:net";
import { createServer as createTlsServer, TLSSocket } from "node:tls";
import { afterTest } from "./cleanup.ts";
import type { Certificate } from "./certificate.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received: headers, an empty line, and the text. */
  data: string;
  login: string | null;
  isEncrypted: boolean;
}

interface Encryption extends Certificate {
  /** From the first byte (smtps://), or after STARTTLS. */
  from: "start" | "starttls";
}

/** A small SMTP server on this machine. It refuses recipients at refused.example. */
export const smtpServer = async (encryption?: Encryption) => {
  const received: ReceivedMail[] = [];
  const hold = (socket: Socket) => converse(socket, (mail) => received.push(mail), encryption);
  const server = encryption?.from === "start" ? createTlsServer(encryption, hold) : createServer(hold);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => void server.close());
  const { port } = server.address() as { port: number };
  const scheme = encryption?.from === "start" ? "smtps" : "smtp";
  return { received, url: `${scheme}://qsolog:s%C3%A9cret@127.0.0.1:${port}` };
};

const converse = (plain: Socket, keep: (mail: ReceivedMail) => void, encryption?: Encryption): void => {
  let socket = plain;
  let mail: ReceivedMail = { from: "", to: [], data: "", login: null, isEncrypted: encryption?.from === "start" };
  let isData = false;
  let waiting = "";
  const say = (line: string) => void socket.write(`${line}\r\n`);
  const take = (line: string) => {
    if (isData) {
      if (line !== ".") return void (mail.data += `${line.replace(/^\.\./, ".")}\n`);
      keep(mail);
      isData = false;
      return say("250 kept");
    }
    const [verb = "", rest = ""] = line.split(/ (.*)/s);
    switch (verb.toUpperCase()) {
      case "EHLO":
        say("250-mail.example");
        if (encryption && !mail.isEncrypted) say("250-STARTTLS");
        return say("250 AUTH PLAIN");
      case "STARTTLS":
        if (!encryption) return say("502 unknown");
        say("220 go on");
        plain.removeAllListeners("data");
        socket = new TLSSocket(plain, { ...encryption, isServer: true });
        mail.isEncrypted = true;
        return listen();
      case "AUTH":
        mail.login = Buffer.from(rest.replace(/^PLAIN /i, ""), "base64")
          .toString()
          .split("\0")
          .slice(1)
          .join(":");
        return say("235 welcome");
      case "MAIL":
        mail = { ...mail, from: rest.replace(/^FROM:<([^>]*)>.*/i, "$1"), to: [], data: "" };
        return say("250 ok");
      case "RCPT": {
        const to = rest.replace(/^TO:<([^>]*)>.*/i, "$1");
        if (to.endsWith("@refused.example")) return say("550 no such mailbox");
        mail.to.push(to);
        return say("250 ok");
      }
      case "DATA":
        isData = true;
        return say("354 go on");
      case "QUIT":
        say("221 bye");
        return void socket.end();
      default:
        return say("502 unknown");
    }
  };
  const listen = () => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      const lines = (waiting + bytes.toString()).split("\r\n");
      waiting = lines.pop()!;
      lines.forEach(take);
    });
  };
  listen();
  say("220 mail.example ESMTP");
};
