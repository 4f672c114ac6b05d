import { compareBands } from "./band.ts";
import { effectiveMode, MODE_GROUPS, type ModeGroup } from "./mode.ts";
import { CONFIRMATIONS, confirmationOf, type Confirmation, type Derived } from "./qso.ts";
import type { Share, Statistics } from "./statistics.ts";

/** What contacts are counted by. An entity nobody knows has no name; `callsigns` has one row, how many there are. */
export type TallyKind = "confirmation" | "band" | "mode" | "group" | "year" | "month" | "entity" | "callsigns";

export interface TallyRow {
  kind: TallyKind;
  name: string;
  contacts: number;
  confirmed: number;
}

/** What contacts have in common, and how many they are. */
export interface AlikeContacts extends Pick<
  Derived,
  "mode" | "submode" | "modeGroup" | "band" | "year" | "firstConfirmed" | "secondConfirmed" | "cardConfirmed"
> {
  contacts: number;
}

/** A month of activity on a band, such as `2026-08 20m`. */
export const monthName = (at: number, band: string): string => `${new Date(at).toISOString().slice(0, 7)} ${band}`;

/**
 * Adds up what a log comes to, or what a change adds to it and takes from it: every count is a sum over contacts, so what
 * is there and what changes can be added.
 */
export class LogTally {
  /** By kind and name: to put both together for each count would take longer than counting. */
  readonly #rows = new Map<TallyKind, Map<string, TallyRow>>();

  constructor(rows: readonly TallyRow[] = []) {
    for (const { kind, name, contacts, confirmed } of rows) this.add(kind, name, contacts, confirmed);
  }

  add(kind: TallyKind, name: string, contacts: number, confirmed = 0): void {
    let ofKind = this.#rows.get(kind);
    if (!ofKind) this.#rows.set(kind, (ofKind = new Map()));
    const row = ofKind.get(name);
    if (!row) return void ofKind.set(name, { kind, name, contacts, confirmed });
    row.contacts += contacts;
    row.confirmed += confirmed;
  }

  /** What has no band or mode counts for the confirmations and the year only. */
  addAlike(alike: AlikeContacts): void {
    const { band, mode, submode, modeGroup, year, contacts } = alike;
    const said = confirmationOf(alike);
    const confirmed = said === "none" ? 0 : contacts;
    this.add("confirmation", said, contacts);
    if (alike.cardConfirmed) this.add("confirmation", "card", contacts);
    if (band !== null) this.add("band", band, contacts, confirmed);
    if (modeGroup !== null) {
      this.add("mode", effectiveMode({ mode, submode, group: modeGroup }), contacts, confirmed);
      this.add("group", modeGroup, contacts, confirmed);
    }
    this.add("year", String(year), contacts, confirmed);
  }

  /** A contact that is there from now on, or no longer. How many callsigns that makes is known to the log only. */
  addContact(qso: Derived, sign: 1 | -1): void {
    const { band, mode, submode, modeGroup, year, firstConfirmed, secondConfirmed, cardConfirmed } = qso;
    const alike = { band, mode, submode, modeGroup, year, firstConfirmed, secondConfirmed, cardConfirmed };
    this.addAlike({ ...alike, contacts: sign });
    if (band !== null) this.add("month", monthName(qso.startedAt, band), sign);
    this.add("entity", String(qso.dxcc ?? ""), sign);
  }

  /** Without what comes to nothing. */
  get rows(): TallyRow[] {
    const rows = [...this.#rows.values()].flatMap((ofKind) => [...ofKind.values()]);
    return rows.filter(({ contacts, confirmed }) => contacts !== 0 || confirmed !== 0);
  }
}

/** The figures people see. */
export const figuresOf = (
  rows: readonly TallyRow[],
  { firstQsoAt, lastQsoAt }: Pick<Statistics, "firstQsoAt" | "lastQsoAt">,
): Statistics => {
  const of = Map.groupBy(
    rows.filter(({ contacts }) => contacts > 0),
    ({ kind }) => kind,
  );
  const counts = (kind: TallyKind) => of.get(kind) ?? [];
  const sayings = new Map(counts("confirmation").map(({ name, contacts }) => [name, contacts]));
  const said = (name: Confirmation | "card") => sayings.get(name) ?? 0;
  const total = CONFIRMATIONS.reduce((sum, name) => sum + said(name), 0);
  const shares = <Name extends string, Key>(kind: TallyKind, label: Name, keyOf: (name: string) => Key) =>
    counts(kind).map(
      ({ name, contacts, confirmed }) =>
        ({ [label]: keyOf(name), total: contacts, confirmed }) as Share & Record<Name, Key>,
    );
  const byBand = shares("band", "band", String).sort((a, b) => compareBands(a.band, b.band));
  const byMode = shares("mode", "mode", String);
  const entities = counts("entity");
  const unknown = entities.find(({ name }) => name === "")?.contacts ?? 0;
  return {
    total,
    entities: entities.length - (unknown > 0 ? 1 : 0),
    unknownEntity: unknown,
    bands: byBand.length,
    modes: byMode.length,
    callsigns: counts("callsigns")[0]?.contacts ?? 0,
    confirmation: {
      ...(Object.fromEntries(CONFIRMATIONS.map((name) => [name, said(name)])) as Record<Confirmation, number>),
      first: said("firstOnly") + said("both"),
      second: said("secondOnly") + said("both"),
      card: said("card"),
      any: total - said("none"),
    },
    byBand,
    byMode: byMode.sort((a, b) => b.total - a.total || (a.mode < b.mode ? -1 : 1)),
    byGroup: shares("group", "group", (name) => name as ModeGroup).sort(
      (a, b) => MODE_GROUPS.indexOf(a.group) - MODE_GROUPS.indexOf(b.group),
    ),
    byYear: shares("year", "year", Number).sort((a, b) => a.year - b.year),
    firstQsoAt,
    lastQsoAt,
  };
};
