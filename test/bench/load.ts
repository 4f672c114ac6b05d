/** Asks one question again and again over a few connections that stay open, and gives the answers a second. */
export const answersASecond = async (
  url: string,
  headers: Record<string, string>,
  { connections = 8, milliseconds }: { connections?: number; milliseconds: number },
): Promise<number> => {
  const { hostname, port, pathname, search } = new URL(url);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const question = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${lines.join("")}\r\n`;
  const end = performance.now() + milliseconds;
  const ask = (): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    let answers = 0;
    let heard = "";
    void Bun.connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => void socket.write(question),
        data(socket, bytes) {
          heard += bytes.toString("latin1");
          const length = lengthOf(heard);
          if (length === null || heard.length < length) return;
          if (!heard.startsWith("HTTP/1.1 200")) return reject(new Error(heard.slice(0, 200)));
          heard = heard.slice(length);
          answers += 1;
          if (performance.now() < end) socket.write(question);
          else socket.end();
        },
        close: () => resolve(answers),
        error: (_, error) => reject(error),
      },
    });
    return promise;
  };
  const began = performance.now();
  const counts = await Promise.all(Array.from({ length: connections }, ask));
  return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / (performance.now() - began);
};

/** Of the whole answer, as soon as its head is there. */
const lengthOf = (heard: string): number | null => {
  const head = heard.indexOf("\r\n\r\n");
  if (head < 0) return null;
  return head + 4 + Number(heard.slice(0, head).match(/content-length: *(\d+)/i)?.[1] ?? 0);
};
