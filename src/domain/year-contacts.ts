import { DAY } from "./clock.ts";
import { distanceKm, gridCentre, type Place } from "./maidenhead.ts";
import { effectiveMode, type ModeGroup } from "./mode.ts";

/** What the figures read of a contact. */
export interface FiguredContact {
  id: number;
  startedAt: number;
  band: string | null;
  mode: string | null;
  submode: string | null;
  modeGroup: ModeGroup | null;
  dxcc: number | null;
  gridsquare: string | null;
  ownGrid: string | null;
  awardEntity: number | null;
  awardState: string | null;
  awardZone: number | null;
  awardGrids: string | null;
  /** 0 or 1. */
  first: number;
  second: number;
  card: number;
  firstAt: number | null;
  secondAt: number | null;
}

type Narrow = Uint8Array | Uint16Array | Uint32Array;

/** What contacts say of one thing: few values, and of each contact which of them. The first is that nothing is said. */
export interface Coded<Value extends string | number> {
  values: (Value | null)[];
  of: Uint32Array;
}

/** The contacts of a year by columns, in which they are counted many times faster than from rows. */
export interface YearContacts {
  ids: Float64Array;
  startedAt: Float64Array;
  band: Coded<string>;
  mode: Coded<string>;
  dxcc: Coded<number>;
  entity: Coded<number>;
  state: Coded<string>;
  zone: Coded<number>;
  grids: Coded<string>;
  home: Coded<string>;
  km: Coded<number>;
  /** A bit for each of those that confirm. */
  confirmed: Uint8Array;
  /** So many days after the contact. */
  firstDays: Coded<number>;
  secondDays: Coded<number>;
}

export const CONFIRMED_BY = { first: 1, second: 2, card: 4 } as const;

const CODED = [
  "band",
  "mode",
  "dxcc",
  "entity",
  "state",
  "zone",
  "grids",
  "home",
  "km",
  "firstDays",
  "secondDays",
] as const satisfies (keyof YearContacts)[];
type Said = Record<(typeof CODED)[number], string | number | null>;

const FIRST_ROOM = 1_024;

/** A column that takes more than it has room for. */
class Column<Numbers extends Uint8Array | Uint32Array | Float64Array> {
  readonly #make: new (length: number) => Numbers;
  #room: Numbers;
  #length = 0;

  constructor(make: new (length: number) => Numbers) {
    this.#make = make;
    this.#room = new make(FIRST_ROOM);
  }

  add(value: number): void {
    if (this.#length === this.#room.length) {
      const wider = new this.#make(2 * this.#length);
      wider.set(this.#room);
      this.#room = wider;
    }
    this.#room[this.#length++] = value;
  }

  get taken(): Numbers {
    return this.#room.subarray(0, this.#length) as Numbers;
  }
}

class Coder {
  readonly values: (string | number | null)[] = [null];
  readonly #codes = new Column(Uint32Array);
  readonly #known = new Map<string | number | null, number>([[null, 0]]);

  add(value: string | number | null): void {
    let code = this.#known.get(value);
    if (code === undefined) {
      code = this.values.push(value) - 1;
      this.#known.set(value, code);
    }
    this.#codes.add(code);
  }

  /** As narrow as the number of values allows. */
  get codes(): Narrow {
    return new (arrayFor(this.values.length))(this.#codes.taken);
  }
}

/** Takes the contacts of a year, some at a time. */
export class YearPacker {
  readonly #ids = new Column(Float64Array);
  readonly #startedAt = new Column(Float64Array);
  readonly #confirmed = new Column(Uint8Array);
  readonly #coders = CODED.map((name) => ({ name, coder: new Coder() }));
  readonly #places = new Places();

  add(contacts: readonly FiguredContact[]): void {
    for (const contact of contacts) {
      const said = saidBy(contact, this.#places);
      for (const { name, coder } of this.#coders) coder.add(said[name]);
      this.#ids.add(contact.id);
      this.#startedAt.add(contact.startedAt);
      this.#confirmed.add(bitsOf(contact));
    }
  }

  /** As bytes: the length of the header, the header as JSON, then the columns, widest first. */
  packed(): Uint8Array {
    const columns = this.#coders.map(({ name, coder: { values, codes } }) => ({ name, values, codes }));
    const inOrder = columns.toSorted((a, b) => b.codes.BYTES_PER_ELEMENT - a.codes.BYTES_PER_ELEMENT);
    const coded = inOrder.map(({ name, values }) => ({ name, values }));
    const header = new TextEncoder().encode(JSON.stringify({ contacts: this.#ids.taken.length, coded }));
    return joined([
      new Uint32Array([header.length, 0]),
      header,
      new Uint8Array(toEight(header.length) - header.length),
      this.#ids.taken,
      this.#startedAt.taken,
      ...inOrder.map(({ codes }) => codes),
      this.#confirmed.taken,
    ]);
  }
}

export const packContacts = (contacts: readonly FiguredContact[]): Uint8Array => {
  const packer = new YearPacker();
  packer.add(contacts);
  return packer.packed();
};

const joined = (parts: readonly ArrayBufferView[]): Uint8Array => {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
};

/** Numbers in memory begin where their width says. */
const toEight = (length: number): number => Math.ceil(length / 8) * 8;

const arrayFor = (values: number) => (values <= 0x100 ? Uint8Array : values <= 0x10000 ? Uint16Array : Uint32Array);

const bitsOf = ({ first, second, card }: FiguredContact): number =>
  first * CONFIRMED_BY.first + second * CONFIRMED_BY.second + card * CONFIRMED_BY.card;

const saidBy = (contact: FiguredContact, places: Places): Said => {
  const { startedAt, mode, submode, modeGroup: group, first, second } = contact;
  const days = (isConfirmed: number, at: number | null) =>
    isConfirmed === 1 && at !== null && at >= startedAt ? Math.floor((at - startedAt) / DAY) : null;
  return {
    band: contact.band,
    mode: group === null ? null : effectiveMode({ mode, submode, group }),
    dxcc: contact.dxcc,
    entity: contact.awardEntity,
    state: contact.awardState,
    zone: contact.awardZone,
    grids: contact.awardGrids,
    home: contact.ownGrid,
    km: places.kmBetween(contact.ownGrid, contact.gridsquare),
    firstDays: days(first, contact.firstAt),
    secondDays: days(second, contact.secondAt),
  };
};

class Places {
  readonly #known = new Map<string, Place | null>();

  kmBetween(own: string | null, partners: string | null): number | null {
    if (own === null || partners === null) return null;
    const [from, to] = [this.#placeOf(own), this.#placeOf(partners)];
    return from && to && Math.round(distanceKm(from, to));
  }

  #placeOf(grid: string): Place | null {
    let place = this.#known.get(grid);
    if (place === undefined) this.#known.set(grid, (place = gridCentre(grid)));
    return place;
  }
}

interface Header {
  contacts: number;
  coded: { name: keyof Said; values: (string | number | null)[] }[];
}

export const unpackContacts = (packed: Uint8Array): YearContacts => {
  const { buffer } = packed.slice();
  const [length] = new Uint32Array(buffer, 0, 1) as unknown as [number];
  const words = new TextDecoder().decode(new Uint8Array(buffer, 8, length));
  const { contacts, coded } = JSON.parse(words) as Header;
  let at = 8 + toEight(length);
  const next = <Column>(make: { new (buffer: ArrayBuffer, at: number, length: number): Column }, width: number) => {
    const column = new make(buffer as ArrayBuffer, at, contacts);
    at += contacts * width;
    return column;
  };
  const [ids, startedAt] = [next(Float64Array, 8), next(Float64Array, 8)];
  const columns = coded.map(({ name, values }) => {
    const kind = arrayFor(values.length);
    // Of one width in memory, whatever it takes on disk: a loop that meets several is four times as slow.
    return [name, { values, of: Uint32Array.from(next<Narrow>(kind, kind.BYTES_PER_ELEMENT)) }];
  });
  return { ids, startedAt, ...Object.fromEntries(columns), confirmed: next(Uint8Array, 1) } as YearContacts;
};
