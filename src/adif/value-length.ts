/** How a program counts the length of a value. The standard allows only ASCII, so bytes; programs use all of these. */
export interface Unit {
  /** 0 bytes, 1 code points, 2 UTF-16 units. */
  width: 0 | 1 | 2;
  /** Whether an HTML entity counts as one character. */
  entities: boolean;
}

/** Units to try after bytes, most likely first. */
export const UNITS: readonly Unit[] = [
  { width: 2, entities: false },
  { width: 1, entities: false },
];
export const HTML_UNITS: readonly Unit[] = [
  ...UNITS,
  { width: 0, entities: true },
  { width: 2, entities: true },
  { width: 1, entities: true },
];

const AMP = 0x26;
const ENTITIES: readonly (readonly [bytes: readonly number[], char: string])[] = [
  [[...Buffer.from("&lt;")], "<"],
  [[...Buffer.from("&gt;")], ">"],
  [[...Buffer.from("&amp;")], "&"],
  [[...Buffer.from("&quot;")], '"'],
  [[...Buffer.from("&#39;")], "'"],
];

/** The offset where a value of `length` units ends, or minus the number of units missing at `limit`. */
export function measure(bytes: Uint8Array, start: number, limit: number, length: number, unit: Unit): number {
  let left = length;
  let i = start;
  while (i < limit && left > 0) {
    const entity = unit.entities && bytes[i] === AMP ? entitySize(bytes, i, limit) : 0;
    const size = entity || characterSize(bytes, i, limit, unit.width);
    left -= unit.width === 2 && entity === 0 && size === 4 ? 2 : 1;
    i += size;
  }
  return left > 0 ? -left : i;
}

/** The text with the five HTML entities decoded once. */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (entity) => CHAR_OF.get(entity)!);
}

const CHAR_OF = new Map(ENTITIES.map(([bytes, char]) => [String.fromCharCode(...bytes), char]));

function entitySize(bytes: Uint8Array, at: number, limit: number): number {
  for (const [sequence] of ENTITIES) {
    let k = 0;
    while (k < sequence.length && at + k < limit && bytes[at + k] === sequence[k]) k++;
    if (k === sequence.length) return k;
  }
  return 0;
}

/** The size of the character at `at`: a byte, or a lead byte with its continuation bytes. */
function characterSize(bytes: Uint8Array, at: number, limit: number, width: Unit["width"]): number {
  if (width === 0 || bytes[at]! < 0xc0) return 1;
  const expected = bytes[at]! >= 0xf0 ? 4 : bytes[at]! >= 0xe0 ? 3 : 2;
  let size = 1;
  while (size < expected && at + size < limit && (bytes[at + size]! & 0xc0) === 0x80) size++;
  return size;
}
