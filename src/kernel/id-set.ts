const IDS_A_PAGE = 8_192;

/** One byte for each id from `from` on; 1 if the set contains it. */
export interface IdBytes {
  from: number;
  bytes: Uint8Array;
}

/** A bit set of contact ids, most of which are close together. */
export class IdSet {
  readonly #pages = new Map<number, Uint8Array>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: number): void {
    const page = Math.floor(id / IDS_A_PAGE);
    let bits = this.#pages.get(page);
    if (!bits) this.#pages.set(page, (bits = new Uint8Array(IDS_A_PAGE / 8)));
    const place = id - page * IDS_A_PAGE;
    const [byte, bit] = [place >> 3, 1 << (place & 7)];
    if ((bits[byte]! & bit) !== 0) return;
    bits[byte]! |= bit;
    this.#size += 1;
  }

  has(id: number): boolean {
    const page = Math.floor(id / IDS_A_PAGE);
    const place = id - page * IDS_A_PAGE;
    return ((this.#pages.get(page)?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  toBytes(): IdBytes {
    const pages = [...this.#pages.keys()];
    const from = Math.min(...pages) * IDS_A_PAGE;
    const bytes = new Uint8Array((Math.max(...pages) + 1) * IDS_A_PAGE - from);
    for (const [page, bits] of this.#pages)
      for (let place = 0; place < IDS_A_PAGE; place++)
        bytes[page * IDS_A_PAGE - from + place] = (bits[place >> 3]! >> (place & 7)) & 1;
    return { from, bytes };
  }
}
