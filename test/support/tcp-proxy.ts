import type { Socket } from "bun";
import { afterTest } from "./cleanup.ts";

/** Mute: requests arrive, but no response comes back. */
type Way = "through" | "silent" | "mute" | "refused";

interface Pair {
  near: Socket<unknown>;
  far: Socket<unknown> | null;
  waiting: Uint8Array[];
  isFrozen: boolean;
}

export interface TcpProxy {
  /** The URL of a server through this proxy. */
  via(url: string): string;
  /** Passes bytes on, drops them while connections stay open, or refuses connections. */
  set(way: Way): void;
  /** Open connections carry nothing from now on. */
  freeze(): void;
  /** New connections go to another server; open ones stay. */
  leadTo(port: number): void;
  /** Breaks every connection. */
  cut(): void;
  /** Called with what a client sends, before it is passed on. */
  onSent(listener: (bytes: Uint8Array) => void): void;
}

/** A proxy that can fail like a network. It ends with the test. */
export const tcpProxy = (target: number): TcpProxy => {
  let way: Way = "through";
  let port = target;
  let listener: (bytes: Uint8Array) => void = () => {};
  const pairs = new Set<Pair>();
  const drop = (pair: Pair) => {
    pairs.delete(pair);
    pair.near.end();
    pair.far?.end();
  };
  const send = (pair: Pair, bytes: Uint8Array) => {
    if (!pair.isFrozen && (way === "through" || way === "mute")) writeAll(pair.far!, bytes);
  };
  const answer = (pair: Pair, bytes: Uint8Array) => {
    if (!pair.isFrozen && way === "through") writeAll(pair.near, bytes);
  };
  const reach = async (pair: Pair) => {
    try {
      pair.far = await Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: { data: (_, bytes) => answer(pair, bytes), close: () => drop(pair), drain: flush },
      });
      for (const bytes of pair.waiting.splice(0)) send(pair, bytes);
    } catch {
      drop(pair);
    }
  };
  const byNear = new WeakMap<Socket<unknown>, Pair>();
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      open(near) {
        if (way === "refused") return void near.end();
        const pair: Pair = { near, far: null, waiting: [], isFrozen: false };
        byNear.set(near, pair);
        pairs.add(pair);
        void reach(pair);
      },
      data(near, bytes) {
        const pair = byNear.get(near);
        if (!pair) return;
        listener(bytes);
        if (pair.far) send(pair, bytes);
        else pair.waiting.push(bytes);
      },
      close(near) {
        const pair = byNear.get(near);
        if (pair) drop(pair);
      },
      drain: flush,
    },
  });
  const cut = () => {
    for (const pair of pairs) drop(pair);
  };
  afterTest(() => {
    cut();
    server.stop(true);
  });
  return {
    via(url) {
      const through = new URL(url);
      through.port = String(server.port);
      return through.toString();
    },
    set(next) {
      way = next;
      if (next === "refused") cut();
    },
    freeze() {
      for (const pair of pairs) pair.isFrozen = true;
    },
    leadTo: (next) => void (port = next),
    cut,
    onSent: (next) => void (listener = next),
  };
};

const unsent = new WeakMap<Socket<unknown>, Uint8Array[]>();

/** Queues what the system does not accept yet. */
const writeAll = (socket: Socket<unknown>, bytes: Uint8Array): void => {
  const line = unsent.get(socket) ?? [];
  unsent.set(socket, line);
  line.push(Uint8Array.from(bytes));
  if (line.length === 1) flush(socket);
};

const flush = (socket: Socket<unknown>): void => {
  const line = unsent.get(socket) ?? [];
  while (line.length > 0) {
    const written = Math.max(0, socket.write(line[0]!));
    if (written < line[0]!.length) return void (line[0] = line[0]!.subarray(written));
    line.shift();
  }
};
