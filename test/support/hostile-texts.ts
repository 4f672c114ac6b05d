/** A part of a pattern that consumes characters; `loops` if it can repeat. */
type Node =
  | { kind: "letter"; takes: RegExp }
  | { kind: "nothing" }
  | { kind: "all"; nodes: Node[] }
  | { kind: "one"; nodes: Node[] }
  | { kind: "repeated"; node: Node; least: number; loops: boolean };

/** More repetitions count as unlimited. */
const MANY = 20;

/** Parses a regular expression as far as needed to generate texts. */
class Pattern {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replace(/[gy]/g, "");
  }

  read(): Node {
    const nodes: Node[] = [];
    let sequence: Node[] = [];
    while (this.#at < this.#source.length && this.#source[this.#at] !== ")") {
      if (this.#source[this.#at] === "|") {
        nodes.push({ kind: "all", nodes: sequence });
        sequence = [];
        this.#at += 1;
      } else sequence.push(this.#quantified(this.#atom()));
    }
    nodes.push({ kind: "all", nodes: sequence });
    return nodes.length === 1 ? nodes[0]! : { kind: "one", nodes };
  }

  #quantified(node: Node): Node {
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(this.#source.slice(this.#at));
    if (!found) return node;
    this.#at += found[0].length;
    const [, sign, from, comma, to] = found;
    const least = sign ? (sign === "+" ? 1 : 0) : Number(from);
    const most = sign ? (sign === "?" ? 1 : Infinity) : comma === "" ? least : to === "" ? Infinity : Number(to);
    return { kind: "repeated", node, least, loops: most >= MANY };
  }

  #atom(): Node {
    const rest = this.#source.slice(this.#at);
    const group = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(rest);
    if (group) {
      this.#at += group[0].length;
      const inside = this.read();
      this.#at += 1;
      return /[=!]/.test(group[0]) ? { kind: "one", nodes: [{ kind: "nothing" }, inside] } : inside;
    }
    const [piece] = /^(?:\\u\{\w+\}|\\u\w{4}|\\x\w\w|\\.|\[(?:\\.|[^\]\\])*\]|.)/su.exec(rest)!;
    this.#at += piece.length;
    if (/^(?:[\^$]|\\[bB1-9])$/.test(piece)) return { kind: "nothing" };
    return { kind: "letter", takes: new RegExp(`^(?:${piece})$`, this.#flags) };
  }
}

const LETTERS = [...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)), ..."\t\n\r\x01é·–█ï»¿Ø"];

const lettersOf = (node: Node): RegExp[] => {
  switch (node.kind) {
    case "letter":
      return [node.takes];
    case "nothing":
      return [];
    case "repeated":
      return lettersOf(node.node);
    default:
      return node.nodes.flatMap(lettersOf);
  }
};

/** One character for each combination of parts that match it. */
const alphabetOf = (node: Node): string[] => {
  const takers = [...new Map(lettersOf(node).map((takes) => [takes.source, takes])).values()];
  const byTakers = new Map<string, string>();
  for (const letter of LETTERS) {
    const key = takers.map((takes) => Number(takes.test(letter))).join("");
    if (!byTakers.has(key)) byTakers.set(key, letter);
  }
  return [...byTakers.values()];
};

/** A text that the part matches. */
const sampleOf = (node: Node): string => {
  switch (node.kind) {
    case "letter":
      return LETTERS.find((letter) => node.takes.test(letter)) ?? "";
    case "nothing":
      return "";
    case "all":
      return node.nodes.map(sampleOf).join("");
    case "one":
      return sampleOf(node.nodes[0]!);
    case "repeated":
      return sampleOf(node.node).repeat(Math.max(node.least, 1));
  }
};

interface Loop {
  before: string;
  inside: string;
}

/** Every part that can repeat, with a text that leads to it. */
const loopsOf = (node: Node, before = ""): Loop[] => {
  switch (node.kind) {
    case "all": {
      let lead = before;
      return node.nodes.flatMap((part) => {
        const loops = loopsOf(part, lead);
        lead += sampleOf(part);
        return loops;
      });
    }
    case "one":
      return node.nodes.flatMap((part) => loopsOf(part, before));
    case "repeated": {
      const inner = loopsOf(node.node, before);
      return node.loops ? [{ before, inside: sampleOf(node.node) }, ...inner] : inner;
    }
    default:
      return [];
  }
};

export interface HostileText {
  before: string;
  repeated: string;
  after: string;
}

const MAX_CHARACTERS = 10;

/** Texts that can cause backtracking; none if the expression has no loops. */
export const hostileTexts = (expression: RegExp): HostileText[] => {
  const pattern = new Pattern(expression).read();
  const loops = loopsOf(pattern);
  if (loops.length === 0) return [];
  const letters = alphabetOf(pattern).slice(0, MAX_CHARACTERS);
  const whole = sampleOf(pattern);
  const repeated = new Set([
    ...letters,
    ...letters.flatMap((one) => letters.map((other) => one + other)),
    ...loops.map(({ inside }) => inside),
    ...loops.map(({ before, inside }) => before + inside),
    ...loops.map(({ before }) => before),
    whole,
    whole.slice(0, -1),
  ]);
  repeated.delete("");
  const leads = new Set(["", ...loops.map(({ before }) => before)]);
  const takers = lettersOf(pattern);
  const isTaken = (letter: string) => takers.some((takes) => takes.test(letter));
  // A character that no part matches ends every loop, and any other such character does the same.
  const ends = new Set([
    "",
    "\x01",
    ...(isTaken("\x01") ? LETTERS.filter((letter) => !isTaken(letter)).slice(0, 1) : []),
  ]);
  return [...leads].flatMap((before) =>
    [...repeated].flatMap((text) => [...ends].map((after) => ({ before, repeated: text, after }))),
  );
};
