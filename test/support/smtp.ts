import { createServer, type Socket } from "node:net";
import { afterTest } from "./cleanup.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received: headers, an empty line, and the text. */
  data: string;
  login: string | null;
}

/** A small SMTP server on this machine. It refuses recipients at refused.example. */
export const smtpServer = async () => {
  const received: ReceivedMail[] = [];
  const server = createServer((socket) => converse(socket, (mail) => received.push(mail)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterTest(() => void server.close());
  const { port } = server.address() as { port: number };
  return { received, url: `smtp://qsolog:s%C3%A9cret@127.0.0.1:${port}` };
};

const converse = (socket: Socket, keep: (mail: ReceivedMail) => void): void => {
  let mail: ReceivedMail = { from: "", to: [], data: "", login: null };
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
        return say("250 AUTH PLAIN");
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
  say("220 mail.example ESMTP");
  socket.on("error", () => {});
  socket.on("data", (bytes) => {
    const lines = (waiting + bytes.toString()).split("\r\n");
    waiting = lines.pop()!;
    lines.forEach(take);
  });
};
