import type { QrzRecord } from "./store.ts";

/** Variations that have been seen in replies. */
export interface QrzStyle {
  lengthUnit: "bytes" | "chars";
  /**
   * What is HTML-escaped in the ADIF: the angle brackets of markers, also those in values, or also `&`. Lengths count
   * the unescaped value.
   */
  escape: "markers" | "angles" | "full";
  resultAfterAdif: boolean;
  shuffleKeys: boolean;
  shuffleFields: boolean;
  /** The form of an empty page. */
  emptyAs: "count" | "reason";
  /** Whether COUNT counts the page or all matches. */
  countIs: "page" | "total";
  statusAs: "flat" | "data";
  lineEnd: "\n" | "\r\n";
  encoding: "utf-8" | "latin1";
}

export const USUAL_STYLE: Readonly<QrzStyle> = {
  lengthUnit: "bytes",
  escape: "markers",
  resultAfterAdif: false,
  shuffleKeys: true,
  shuffleFields: true,
  emptyAs: "count",
  countIs: "page",
  statusAs: "flat",
  lineEnd: "\n",
  encoding: "utf-8",
};

export interface QrzReply {
  entries: [key: string, value: string][];
  records?: readonly QrzRecord[];
}

const RECORDS_IN_A_PIECE = 50;

/** A reply in chunks: `KEY=value` pairs with raw values, the ADIF last. */
export function* formatReply(
  { entries, records }: QrzReply,
  style: QrzStyle,
  random: () => number,
): Generator<Uint8Array> {
  const ordered = style.shuffleKeys ? shuffle(entries, random) : entries;
  const late = ([key]: [string, string]) => records !== undefined && style.resultAfterAdif && key === "RESULT";
  const pair = ([key, value]: [string, string]) => `${key}=${value}`;

  const before = ordered.filter((entry) => !late(entry)).map(pair);
  yield Buffer.from([...before, ...(records === undefined ? [] : ["ADIF="])].join("&"));
  for (let start = 0; records !== undefined && start < records.length; start += RECORDS_IN_A_PIECE) {
    const piece = records.slice(start, start + RECORDS_IN_A_PIECE);
    yield Buffer.from(piece.map((record) => formatAdif(record, style, random)).join(""), "latin1");
  }
  const after = ordered.filter(late).map((entry) => `&${pair(entry)}`);
  if (after.length > 0) yield Buffer.from(after.join(""));
}

/** Each character of the text stands for a byte. */
function formatAdif({ fields, latin1 = [] }: QrzRecord, style: QrzStyle, random: () => number): string {
  const names = style.shuffleFields ? shuffle(Object.keys(fields), random) : Object.keys(fields).sort(compareNames);
  const pieces = names.map((name) =>
    field(name, fields[name], style, latin1.includes(name) ? "latin1" : style.encoding),
  );
  return `${pieces.join("")}&lt;eor&gt;${style.lineEnd}${style.lineEnd}`;
}

const compareNames = (a: string, b: string): number => (a.toLowerCase() < b.toLowerCase() ? -1 : 1);

function field(name: string, value: string, style: QrzStyle, encoding: "utf-8" | "latin1"): string {
  const length = style.lengthUnit === "chars" ? [...value].length : Buffer.byteLength(value, encoding);
  const bytes = Buffer.from(escapeValue(value, style.escape), encoding).toString("latin1");
  return `&lt;${name.toLowerCase()}:${length}&gt;${bytes}${style.lineEnd}`;
}

function escapeValue(value: string, escape: QrzStyle["escape"]): string {
  if (escape === "markers") return value;
  const ampersands = escape === "full" ? value.replaceAll("&", "&amp;") : value;
  return ampersands.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
