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

/** Either side has them; the exchange has a sent and a received one by name. */
const DETAILS: readonly (readonly [name: string, Kind])[] = KINDS.flatMap((kind) =>
  kind.names
    .split(" ")
    .flatMap((name) => (kind.weight === "exchange" ? [name] : [name, `MY_${name}`]))
    .map((name) => [name, kind] as const),
);

const NAMES: ReadonlySet<string> = new Set(DETAILS.map(([name]) => name));

export const isDetail = (name: string): boolean => NAMES.has(name);

/** The fields in which two records cannot be of one contact, the surest first. */
export const differencesOf = (a: Fields, b: Fields): { name: string; weight: Weight }[] =>
  DETAILS.filter(([name, kind]) => {
    const [one, other] = [saidOf(a, name), saidOf(b, name)];
    return one !== null && other !== null && one !== other && !agree(kind, one.toUpperCase(), other.toUpperCase());
  }).map(([name, { weight }]) => ({ name, weight }));

/** Those of them that say as much as others do, and more. */
export const fullerIn = (known: Fields, said: Fields): Fields => {
  const fuller: Fields = {};
  for (const [name, kind] of DETAILS) {
    const [before, now] = [told(known[name]), told(said[name])];
    if (before === null || now === null || before.length <= now.length) continue;
    if (agree(kind, before.toUpperCase(), now.toUpperCase())) fuller[name] = known[name]!;
  }
  return fuller;
};

/** Many programs give the reference of a park or summit as the information of its programme. */
const saidOf = (fields: Fields, name: string): string | null => {
  const [, my = "", programme] = PROGRAMME.exec(name) ?? [];
  const isSignal = programme !== undefined && word(fields[`${my}SIG`]) === programme;
  return told(fields[name]) ?? (isSignal ? told(fields[`${my}SIG_INFO`]) : null);
};

const PROGRAMME = /^(MY_)?(POTA|SOTA|WWFF)_REF$/;

const agree = ({ read, agree: isSaid }: Kind, a: string, b: string): boolean => {
  const [one, other] = [read(a), read(b)].sort((left, right) => left.length - right.length);
  return one!.every((item) => other!.some((known) => isSaid(item, known)));
};
