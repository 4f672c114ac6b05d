const MOST_BYTES_A_UNIT = 3;

/** Texts as bytes, each once. As strings in a map those of a large year took four times the memory. */
export class TextTable {
  size = 0;
  #bytes = Buffer.allocUnsafeSlow(1 << 12);
  #ends = new Uint32Array(1 << 8);
  /** By what texts come to: the number of one and 1, or 0. */
  #slots = new Uint32Array(1 << 9);

  /** The number of a text, in the order in which they came. */
  codeOf(text: string): number {
    const begin = this.#begin(this.size);
    const end = begin + this.#write(text, begin);
    const mask = this.#slots.length - 1;
    for (let slot = this.#sumOf(begin, end) & mask; ; slot = (slot + 1) & mask) {
      const code = this.#slots[slot]! - 1;
      if (code === -1) return this.#keep(slot, end);
      if (this.#isSame(code, begin, end)) return code;
    }
  }

  /** The texts one behind the other, in the order of their bytes, how long each is, and the place of each number among them. */
  inOrder(): { bytes: Uint8Array; lengths: Uint32Array; places: Uint32Array } {
    const bytes = new Uint8Array(this.#begin(this.size));
    const lengths = new Uint32Array(this.size);
    const places = new Uint32Array(this.size);
    const codes = Uint32Array.from({ length: this.size }, (_, code) => code).sort((a, b) => this.#compare(a, b));
    let at = 0;
    for (let place = 0; place < codes.length; place++) {
      const code = codes[place]!;
      const begin = this.#begin(code);
      lengths[place] = this.#ends[code]! - begin;
      places[code] = place;
      for (let from = begin; from < this.#ends[code]!; from++) bytes[at++] = this.#bytes[from]!;
    }
    return { bytes, lengths, places };
  }

  #compare(a: number, b: number): number {
    const bytes = this.#bytes;
    const end = this.#ends[a]!;
    const endBeside = this.#ends[b]!;
    let at = this.#begin(a);
    let beside = this.#begin(b);
    while (at < end && beside < endBeside) {
      const difference = bytes[at++]! - bytes[beside++]!;
      if (difference !== 0) return difference;
    }
    return end - at - (endBeside - beside);
  }

  #begin(code: number): number {
    return code === 0 ? 0 : this.#ends[code - 1]!;
  }

  #write(text: string, at: number): number {
    const needed = at + text.length * MOST_BYTES_A_UNIT;
    if (needed > this.#bytes.length) {
      const bytes = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
      this.#bytes.copy(bytes, 0, 0, at);
      this.#bytes = bytes;
    }
    return this.#bytes.write(text, at);
  }

  #sumOf(begin: number, end: number): number {
    let sum = 0x811c9dc5;
    for (let at = begin; at < end; at++) sum = Math.imul(sum ^ this.#bytes[at]!, 0x01000193);
    return sum ^ (sum >>> 15);
  }

  #isSame(code: number, begin: number, end: number): boolean {
    const own = this.#begin(code);
    if (this.#ends[code]! - own !== end - begin) return false;
    for (let at = begin; at < end; at++) if (this.#bytes[at] !== this.#bytes[own + at - begin]) return false;
    return true;
  }

  #keep(slot: number, end: number): number {
    const code = this.size++;
    if (code === this.#ends.length) {
      const ends = new Uint32Array(code * 2);
      ends.set(this.#ends);
      this.#ends = ends;
    }
    this.#ends[code] = end;
    this.#slots[slot] = code + 1;
    if (this.size * 2 > this.#slots.length) this.#spread();
    return code;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let code = 0; code < this.size; code++) {
      let slot = this.#sumOf(this.#begin(code), this.#ends[code]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = code + 1;
    }
  }
}
