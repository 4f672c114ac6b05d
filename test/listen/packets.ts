/** Builds a WSJT-X packet field by field. */
class Packet {
  readonly #parts: Buffer[] = [];

  number32(value: number): this {
    const part = Buffer.alloc(4);
    part.writeUInt32BE(value);
    this.#parts.push(part);
    return this;
  }

  number64(value: bigint): this {
    const part = Buffer.alloc(8);
    part.writeBigInt64BE(value);
    this.#parts.push(part);
    return this;
  }

  text(value: string | null): this {
    if (value === null) return this.number32(0xffffffff);
    const bytes = Buffer.from(value);
    this.number32(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  moment(at: number, kind = 1): this {
    const day = Math.floor(at / 86_400_000);
    this.number64(BigInt(day + 2_440_588)).number32(at - day * 86_400_000);
    this.#parts.push(Buffer.from([kind]));
    return this;
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

const header = (type: number, id: string, schema = 2): Packet =>
  new Packet().number32(0xadbccbda).number32(schema).number32(type).text(id);

export interface Made {
  call: string;
  at: number;
  hertz?: number;
  mode?: string;
  grid?: string | null;
  power?: string;
  /** Trailing fields that older versions do not send. */
  late?: number;
  id?: string;
  kind?: number;
  schema?: number;
}

const LATE = ["YU1OP", "YU1ABC", "KN04", "59 001", "59 002", "TR"];

/** Message 5. */
export const qsoLogged = (made: Made): Buffer => {
  const { call, at, hertz = 14_075_123, mode = "FT8", grid = "FN42", power = "100W", late = 6, kind = 1 } = made;
  const packet = header(5, made.id ?? "WSJT-X", made.schema)
    .moment(at + 75_000, kind)
    .text(call)
    .text(grid)
    .number64(BigInt(hertz))
    .text(mode)
    .text("-05")
    .text("+02")
    .text(power)
    .text("a comment")
    .text(null)
    .moment(at, kind);
  for (const text of LATE.slice(0, late)) packet.text(text);
  return packet.bytes;
};

/** Message 12. */
export const loggedAdif = ({ call, at, mode = "FT8", id = "WSJT-X" }: Made): Buffer =>
  header(12, id).text(`\n<adif_ver:5>3.1.0\n<programid:6>WSJT-X\n<EOH>\n${adifOf({ call, at, mode })}`).bytes;

export const heartbeat = (): Buffer => header(0, "WSJT-X").number32(3).text("2.7.0").text("abc").bytes;

const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]/g, "");

export const adifOf = ({ call, at, mode = "FT8" }: Made): string => {
  const field = (name: string, value: string) => `<${name}:${Buffer.byteLength(value)}>${value}`;
  return [
    field("call", call),
    field("mode", mode),
    field("qso_date", stamp(at).slice(0, 8)),
    field("time_on", stamp(at).slice(9, 15)),
    field("band", "20m"),
    field("freq", "14.075123"),
    field("station_callsign", "YU1ABC"),
    field("tx_pwr", "100W"),
    "<EOR>",
  ].join(" ");
};

/** A packet of N1MM with these elements. */
export const n1mm = (root: string, words: Record<string, string>): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="utf-8"?><${root}>${Object.entries(words)
      .map(([name, text]) => `<${name}>${text}</${name}>`)
      .join("\n")}</${root}>`,
  );

export const contest = (call: string, at: number, more: Record<string, string> = {}): Record<string, string> => ({
  app: "N1MM",
  contestname: "CQWWCW",
  timestamp: new Date(at).toISOString().slice(0, 19).replace("T", " "),
  mycall: "YU1ABC",
  band: "14",
  rxfreq: "1402500",
  txfreq: "1402500",
  operator: "YU1OP",
  mode: "CW",
  call,
  snt: "599",
  sntnr: "0",
  rcv: "599",
  rcvnr: "0",
  exchangel: "15",
  IsOriginal: "True",
  ID: "E7A1B2C3D4E5F60718293A4B5C6D7E8F",
  ...more,
});
