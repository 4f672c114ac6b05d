import type { Fields } from "./adif-record.ts";
import { told, word } from "./words.ts";

/**
 * How surely a difference makes two contacts of one minute. A reference is given by whoever was there. An exchange is
 * copied on the air, but programs write it each in its own way. Places many programs look up, and they do not agree.
 */
export type Weight = "reference" | "exchange" | "place";

interface Kind {
  weight: Weight;
  names: string;
  read: (text: string) => string[];
  /** Whether both can be said of one contact, one of them less exactly. */
  agree: (a: string, b: string) => boolean;
}

const equal = (a: string, b: string): boolean => a === b;
const listed = (text: string): string[] => text.split(/[,:]/).map((item) => item.trim());
const spoken = (text: string): string[] => text.split(/\s+/).map((item) => item.replace(/^0+(?=\d)/, ""));

const KINDS: readonly Kind[] = [
  { weight: "reference", names: "SIG_INFO POTA_REF SOTA_REF WWFF_REF", read: listed, agree: equal },
  {
    weight: "exchange",
    names: "SRX SRX_STRING STX STX_STRING CLASS CHECK PRECEDENCE",
    read: spoken,
    agree: equal,
  },
  { weight: "place", names: "STATE ARRL_SECT IOTA CNTY_ALT", read: (text) => [text], agree: equal },
  {
    weight: "place",
    names: "CNTY USACA_COUNTIES",
    read: (text) =>
      text.split(":").map((item) =>
        item
          .split(",")
          .map((part) => part.trim())
          .join(","),
      ),
    agree: (a, b) => a === b || a.endsWith(`,${b}`) || b.endsWith(`,${a}`),
  },
  {
    weight: "place",
    names: "GRIDSQUARE VUCC_GRIDS",
    read: listed,
    agree: (a, b) => a.startsWith(b) || b.startsWith(a),
  },
];

interface Detail {
  name: string;
  kind: Kind;
  /** Many programs give the reference of a park or summit as the information of its programme. */
  programme: { name: string; sig: string; info: string } | null;
}

/** Either side has them; the exchange has a sent and a received one by name. */
const DETAILS: readonly Detail[] = KINDS.flatMap((kind) =>
  kind.names.split(" ").flatMap((name) =>
    (kind.weight === "exchange" ? [""] : ["", "MY_"]).map((my) => {
      const [programme = ""] = name.split("_REF");
      const isOfOne = name.endsWith("_REF");
      return {
        name: my + name,
        kind,
        programme: isOfOne ? { name: programme, sig: `${my}SIG`, info: `${my}SIG_INFO` } : null,
      };
    }),
  ),
);

const NAMES: ReadonlySet<string> = new Set(DETAILS.map(({ name }) => name));

export const isDetail = (name: string): boolean => NAMES.has(name);

/** The fields in which two records cannot be of one contact. */
export const differencesOf = (a: Fields, b: Fields): { name: string; weight: Weight }[] => {
  const found: { name: string; weight: Weight }[] = [];
  for (const detail of DETAILS) {
    const { name, kind, programme } = detail;
    if (a[name] === b[name] && (a[name] !== undefined || programme === null)) continue;
    const one = saidOf(a, detail);
    const other = one && saidOf(b, detail);
    if (one && other && one !== other && !agree(kind, one.toUpperCase(), other.toUpperCase())) {
      found.push({ name, weight: kind.weight });
    }
  }
  return found;
};

const saidOf = (fields: Fields, { name, programme }: Detail): string | null => {
  const said = told(fields[name]);
  if (said !== null || programme === null || fields[programme.sig] === undefined) return said;
  return word(fields[programme.sig]) === programme.name ? told(fields[programme.info]) : null;
};

/** Those of them that say as much as others do, and more. */
export const fullerIn = (known: Fields, said: Fields): Fields => {
  const fuller: Fields = {};
  for (const { name, kind } of DETAILS) {
    if (known[name] === undefined || said[name] === undefined || known[name] === said[name]) continue;
    const [before, now] = [told(known[name]), told(said[name])];
    if (before === null || now === null || before.length <= now.length) continue;
    if (agree(kind, before.toUpperCase(), now.toUpperCase())) fuller[name] = known[name];
  }
  return fuller;
};

const agree = ({ read, agree: isSaid }: Kind, a: string, b: string): boolean => {
  const [one, other] = [read(a), read(b)].sort((left, right) => left.length - right.length);
  return one!.every((item) => other!.some((known) => isSaid(item, known)));
};
