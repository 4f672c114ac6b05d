import type { Fields } from "./adif-record.ts";
import { textOrNull, toUpperCased } from "../../kernel/text.ts";

/**
 * How strongly a difference shows that there are two contacts in one minute. A reference is given by the station
 * itself. An exchange is copied on the air, but each program writes it in its own way. Places are looked up by many
 * programs, with different results; the same is true of contest names.
 */
type Weight = "reference" | "exchange" | "place";

interface Kind {
  weight: Weight;
  names: readonly string[];
  read: (text: string) => string[];
  /** Whether both values can describe one contact, one of them less exactly. */
  agree: (a: string, b: string) => boolean;
}

const isEqual = (a: string, b: string): boolean => a === b;
const parseList = (text: string): string[] => text.split(/[,:]/).map((item) => item.trim());
const spoken = (text: string): string[] => text.split(/\s+/).map((item) => item.replace(/^0+(?=\d)/, ""));

const whole = (text: string): string[] => [text.trim()];
const numbered = (text: string): string[] => [text.trim().replace(/^0+(?=\d)/, "")];

/** About the height of the smallest square that programs look up. They place a station anywhere within it. */
const NEAR_DEGREES = 0.05;

/** Reads `N042 21.000` or decimal degrees; null for anything else. */
const parseDegrees = (text: string): number | null => {
  const [, side, degrees, minutes] = /^\s*([NSEW])\s*(\d{1,3})\s+(\d{1,2}(?:\.\d{1,9})?)\s*$/.exec(text) ?? [];
  if (side !== undefined) return (side === "S" || side === "W" ? -1 : 1) * (Number(degrees) + Number(minutes) / 60);
  return /^\s*[+-]?\d{1,3}(\.\d{1,12})?\s*$/.test(text) ? Number(text) : null;
};

const isNear = (a: string, b: string): boolean => {
  const [one, other] = [parseDegrees(a), parseDegrees(b)];
  return one === null || other === null || Math.abs(one - other) <= NEAR_DEGREES;
};

const theirs = (names: string): string[] => names.split(" ");
/** The field of either side. */
const both = (names: string): string[] => theirs(names).flatMap((name) => [name, `MY_${name}`]);

const KINDS: readonly Kind[] = [
  { weight: "reference", names: both("SIG_INFO POTA_REF SOTA_REF WWFF_REF"), read: parseList, agree: isEqual },
  {
    weight: "exchange",
    names: theirs("SRX SRX_STRING STX STX_STRING CLASS CHECK PRECEDENCE"),
    read: spoken,
    agree: isEqual,
  },
  { weight: "place", names: both("STATE ARRL_SECT IOTA CNTY_ALT"), read: (text) => [text], agree: isEqual },
  {
    weight: "place",
    names: [...both("DARC_DOK IOTA_ISLAND_ID"), ...theirs("REGION VE_PROV CONTEST_ID")],
    read: whole,
    agree: isEqual,
  },
  {
    weight: "place",
    names: [...both("DXCC"), ...theirs("CQZ ITUZ MY_CQ_ZONE MY_ITU_ZONE")],
    read: numbered,
    agree: isEqual,
  },
  { weight: "place", names: both("LAT LON"), read: whole, agree: isNear },
  {
    weight: "place",
    names: both("CNTY USACA_COUNTIES"),
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
    names: both("GRIDSQUARE GRIDSQUARE_EXT VUCC_GRIDS"),
    read: parseList,
    agree: (a, b) => a.startsWith(b) || b.startsWith(a),
  },
];

interface Detail {
  name: string;
  kind: Kind;
  /** Many programs write the reference of a park or summit into SIG_INFO, with its programme in SIG. */
  programme: { name: string; sig: string; info: string } | null;
}

const DETAILS: readonly Detail[] = KINDS.flatMap((kind) =>
  kind.names.map((name) => {
    const [, my = "", programme] = /^(MY_)?(\w+)_REF$/.exec(name) ?? [];
    return {
      name,
      kind,
      programme: programme === undefined ? null : { name: programme, sig: `${my}SIG`, info: `${my}SIG_INFO` },
    };
  }),
);

/** Free text for a place, spelt differently by everybody. It separates two contacts only if one program wrote both. */
const PLACE_WORDS = "QTH COUNTRY MY_CITY MY_COUNTRY MY_STREET MY_POSTAL_CODE".split(" ");

const NAMES: ReadonlySet<string> = new Set([...DETAILS.map(({ name }) => name), ...PLACE_WORDS]);

export const isDetail = (name: string): boolean => NAMES.has(name);

/** Whether the two name different places. */
export const namesOtherPlace = (a: Fields, b: Fields): boolean =>
  PLACE_WORDS.some(
    (name) =>
      toUpperCased(a[name]) !== toUpperCased(b[name]) && textOrNull(a[name]) !== null && textOrNull(b[name]) !== null,
  );

/** The fields that show that two records cannot describe one contact. */
export const listContradictions = (a: Fields, b: Fields): { name: string; weight: Weight }[] => {
  const found: { name: string; weight: Weight }[] = [];
  for (const detail of DETAILS) {
    const { name, kind, programme } = detail;
    if (a[name] === b[name] && (a[name] !== undefined || programme === null)) continue;
    const one = getDetail(a, detail);
    const other = one && getDetail(b, detail);
    if (one && other && one !== other && !agree(kind, one.toUpperCase(), other.toUpperCase())) {
      found.push({ name, weight: kind.weight });
    }
  }
  return found;
};

const getDetail = (fields: Fields, { name, programme }: Detail): string | null => {
  const said = textOrNull(fields[name]);
  if (said !== null || programme === null || fields[programme.sig] === undefined) return said;
  return toUpperCased(fields[programme.sig]) === programme.name ? textOrNull(fields[programme.info]) : null;
};

/** The values of `said` that extend those of `known`. */
export const pickFuller = (known: Fields, said: Fields): Fields => {
  const fuller: Fields = {};
  for (const { name, kind } of DETAILS) {
    if (known[name] === undefined || said[name] === undefined || known[name] === said[name]) continue;
    const [before, now] = [textOrNull(known[name]), textOrNull(said[name])];
    if (before === null || now === null || before.length <= now.length) continue;
    if (agree(kind, before.toUpperCase(), now.toUpperCase())) fuller[name] = known[name];
  }
  return fuller;
};

const agree = ({ read, agree: isSaid }: Kind, a: string, b: string): boolean => {
  const [one, other] = [read(a), read(b)].sort((left, right) => left.length - right.length);
  return one!.every((item) => other!.some((known) => isSaid(item, known)));
};
