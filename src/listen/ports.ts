import { createSocket } from "node:dgram";
import { createServer, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { normaliseAddress } from "../kernel/addresses.ts";
import { AppError } from "../kernel/errors.ts";
import { AdifStream, parseAdif } from "./adif.ts";
import { Broken, type ParsedContact, type Reading } from "./parsed-contact.ts";
import { parseN1mm } from "./n1mm.ts";
import { parseWsjtx } from "./wsjtx.ts";

/** An address and port to listen on. */
export interface Place {
  host: string;
  port: number;
}

export type Protocol = "wsjtx" | "n1mm" | "adif";

export const USUAL_PORTS: Record<Protocol, number> = { wsjtx: 2237, n1mm: 12060, adif: 2333 };

const PARSERS: Record<Protocol, (packet: Uint8Array) => Reading> = {
  wsjtx: parseWsjtx,
  n1mm: parseN1mm,
  adif: parseAdif,
};

interface Listening {
  speech: Protocol;
  place: Place;
  /** Resolves when the contacts are stored. Until then a stream is not read further. */
  onHeard: (heard: ParsedContact[]) => Promise<unknown>;
  onBroken: (reason: string, from: string) => void;
}

export interface Port {
  place: Place;
  close: () => Promise<void>;
}

const MAX_STREAMS = 32;
const MAX_SILENCE_MS = 600_000;
const ROOM_FOR_PACKETS = 4 * 1024 ** 2;

/** Receives UDP packets, and TCP streams for ADIF. */
export const listen = async (listening: Listening): Promise<Port> => {
  const packets = await listenUdp(listening);
  if (listening.speech !== "adif") return packets;
  try {
    const streams = await listenTcp({ ...listening, place: packets.place });
    const close = async () => void (await Promise.all([packets.close(), streams.close()]));
    return { place: packets.place, close };
  } catch (error) {
    await packets.close();
    throw error;
  }
};

const isGroup = (host: string): boolean => /^(22[4-9]|23\d)\./.test(host);

const listenUdp = ({ speech, place, onHeard, onBroken }: Listening): Promise<Port> =>
  new Promise((resolve, reject) => {
    const type = place.host.includes(":") ? "udp6" : "udp4";
    // Several programs can listen to a multicast group, but only one to a unicast address.
    const socket = createSocket({ type, reuseAddr: isGroup(place.host) });
    socket.once("error", (error) => reject(taken(place, error)));
    socket.on("message", (packet, { address }) => receivePacket({ speech, onHeard, onBroken }, packet, address));
    socket.bind(place.port, place.host, () => {
      socket.removeAllListeners("error");
      socket.on("error", (error) => onBroken(error.message, "the network"));
      socket.setRecvBufferSize(ROOM_FOR_PACKETS);
      if (isGroup(place.host)) joinEverywhere(socket, place.host);
      resolve({
        place: { host: place.host, port: socket.address().port },
        close: () => new Promise((closed) => socket.close(closed)),
      });
    });
  });

/** Programs send to a multicast group over one interface, often the loopback interface. */
const joinEverywhere = (socket: ReturnType<typeof createSocket>, group: string): void => {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const { family, address } of addresses ?? []) {
      if (family !== "IPv4") continue;
      try {
        socket.addMembership(group, address);
      } catch {
        // This interface does not support multicast.
      }
    }
  }
};

const receivePacket = (
  { speech, onHeard, onBroken }: Pick<Listening, "speech" | "onHeard" | "onBroken">,
  packet: Uint8Array,
  from: string,
): void => {
  try {
    const heard = PARSERS[speech](packet);
    if (heard === null) return;
    if (speech === "adif" && heard.length === 0) throw new Broken("not ADIF");
    if (heard.length > 0) keep(onHeard(heard), onBroken, from);
  } catch (error) {
    onBroken(error instanceof Broken ? error.message : "malformed data", from);
  }
};

const keep = (kept: Promise<unknown>, onBroken: Listening["onBroken"], from: string): void =>
  void kept.catch((error: unknown) => onBroken((error as Error).message, from));

const listenTcp = ({ place, onHeard, onBroken }: Listening): Promise<Port> =>
  new Promise((resolve, reject) => {
    const open = new Set<Socket>();
    const server = createServer((socket) => {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
      readStream(socket, onHeard, onBroken);
    });
    server.maxConnections = MAX_STREAMS;
    server.once("error", (error) => reject(taken(place, error)));
    server.listen(place.port, place.host, () =>
      resolve({
        place,
        close: () =>
          new Promise((closed) => {
            for (const socket of open) socket.destroy();
            server.close(() => closed());
          }),
      }),
    );
  });

const readStream = (socket: Socket, onHeard: Listening["onHeard"], onBroken: Listening["onBroken"]): void => {
  const ear = new AdifStream();
  const from = socket.remoteAddress ?? "somebody";
  const take = async (heard: ParsedContact[]) => {
    if (heard.length === 0) return;
    socket.pause();
    await onHeard(heard).catch((error: unknown) => onBroken((error as Error).message, from));
    socket.resume();
  };
  socket.setTimeout(MAX_SILENCE_MS, () => socket.destroy());
  socket.on("data", (bytes) => void take(ear.write(bytes as Uint8Array)));
  socket.on("end", () => {
    void take(ear.end());
    socket.end();
  });
  socket.on("error", () => onBroken("the connection broke off", from));
};

const REASONS: Record<string, string> = {
  EADDRINUSE: "another program already uses this port",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine does not have that address",
};

const taken = ({ host, port }: Place, error: NodeJS.ErrnoException): AppError =>
  new AppError("unavailable", `Cannot listen on ${host} port ${port}: ${REASONS[error.code ?? ""] ?? error.message}.`);

/** Parses `PORT`, `ADDRESS` or `ADDRESS:PORT`. Without an address it is the loopback address. */
export const readPlace = (option: string, text: string | true, speech: Protocol): Place => {
  const usual = { host: "127.0.0.1", port: USUAL_PORTS[speech] };
  if (text === true) return usual;
  const given = text.trim();
  if (/^\d{1,5}$/.test(given)) return { ...usual, port: parsePort(option, given) };
  const [, inner = given, port] =
    /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(given) ?? /^([\d.]+):(\d{1,5})$/.exec(given) ?? [];
  const host = normaliseAddress(inner);
  if (host === null) {
    throw new AppError(
      "invalid",
      `${option} must be a port, an address or ADDRESS:PORT, not ${JSON.stringify(given)}.`,
    );
  }
  return { host, port: port === undefined ? usual.port : parsePort(option, port) };
};

const parsePort = (option: string, text: string): number => {
  const port = Number(text);
  if (port <= 65_535) return port;
  throw new AppError("invalid", `${option}: ${text} is not a valid port.`);
};
