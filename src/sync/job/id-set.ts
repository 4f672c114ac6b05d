const IDS_A_PAGE = 8_192;

/** Ids of contacts, most of which lie close together: a bit for each. */
export class IdSet {
  readonly #pages = new Map<number, Uint8Array>();

  add(id: number): void {
    const page = Math.floor(id / IDS_A_PAGE);
    let bits = this.#pages.get(page);
    if (!bits) this.#pages.set(page, (bits = new Uint8Array(IDS_A_PAGE / 8)));
    const place = id - page * IDS_A_PAGE;
    bits[place >> 3]! |= 1 << (place & 7);
  }

  has(id: number): boolean {
    const page = Math.floor(id / IDS_A_PAGE);
    const place = id - page * IDS_A_PAGE;
    return ((this.#pages.get(page)?.[place >> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }

  *all(): Generator<number> {
    for (const [page, bits] of this.#pages)
      for (let place = 0; place < IDS_A_PAGE; place++)
        if ((bits[place >> 3]! & (1 << (place & 7))) !== 0) yield page * IDS_A_PAGE + place;
  }
}
