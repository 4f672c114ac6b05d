import type { Qso } from "../../domain/contact/qso.ts";
import { idOf, type Incoming } from "./incoming.ts";
import { compareFits, fitOf, isCandidate, type Fit } from "./match.ts";

export interface Assignment {
  matched: Map<Incoming, Qso>;
  /** Records that fit several contacts equally well, with those contacts. */
  ambiguous: Map<Incoming, Qso[]>;
  /** Records whose contacts all went to other records. */
  unclaimed: Incoming[];
}

interface Pair {
  incoming: Incoming;
  qso: Qso;
  fit: Fit;
}

/**
 * Assigns records to contacts one to one, best fit first. If several fit equally well, nothing is guessed, nor is
 * anything that depends on such a guess. Repeating the same records therefore gives the same result.
 */
export const assign = (records: readonly Incoming[], contacts: readonly Qso[]): Assignment => {
  const pairs = records
    .flatMap((incoming) =>
      contacts
        .filter((qso) => isCandidate(incoming, qso))
        .map((qso): Pair => ({ incoming, qso, fit: fitOf(incoming, qso) })),
    )
    .sort((a, b) => compareFits(a.fit, b.fit));
  const matched = new Map<Incoming, Qso>();
  const blocked = new Set<Incoming>();
  /** Contacts that have a record, or will get one of several. */
  const taken = new Set<Qso>();
  /** Contacts that may or may not get one of several records. */
  const open = new Set<Qso>();
  for (const level of levelsOf(pairs)) {
    const left = level.filter(
      ({ incoming, qso }) => !matched.has(incoming) && !blocked.has(incoming) && !taken.has(qso),
    );
    for (const group of groupsOf(left)) {
      const sides = sidesOf(group);
      const surplus = sides.contacts.some((qso) => open.has(qso)) ? null : surplusOf(group, sides);
      if (surplus === 0) sides.records.forEach((incoming, index) => matched.set(incoming, sides.contacts[index]!));
      else for (const incoming of sides.records) blocked.add(incoming);
      const claimed = surplus !== null && surplus >= 0 ? taken : open;
      for (const qso of sides.contacts) claimed.add(qso);
    }
  }
  const given = new Set(matched.values());
  const candidatesOf = (incoming: Incoming) =>
    pairs.filter((pair) => pair.incoming === incoming && !given.has(pair.qso)).map(({ qso }) => qso);
  const ambiguous = new Map([...blocked].map((incoming) => [incoming, candidatesOf(incoming)]));
  const unclaimed = records.filter((incoming) => !matched.has(incoming) && !blocked.has(incoming));
  return { matched, ambiguous, unclaimed };
};

const levelsOf = (pairs: readonly Pair[]): Pair[][] => {
  const levels: Pair[][] = [];
  for (const pair of pairs) {
    const level = levels.at(-1);
    if (level && compareFits(level[0]!.fit, pair.fit) === 0) level.push(pair);
    else levels.push([pair]);
  }
  return levels;
};

/** Groups pairs that share a record or a contact. */
const groupsOf = (pairs: readonly Pair[]): Pair[][] => {
  const groups: Pair[][] = [];
  const left = new Set(pairs);
  for (const seed of pairs) {
    if (!left.delete(seed)) continue;
    const group = [seed];
    for (const member of group) {
      for (const other of left) {
        if (other.incoming !== member.incoming && other.qso !== member.qso) continue;
        left.delete(other);
        group.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
};

const sidesOf = (group: readonly Pair[]): { records: Incoming[]; contacts: Qso[] } => ({
  records: [...new Set(group.map(({ incoming }) => incoming))].sort((a, b) => a.key.at - b.key.at || compareIds(a, b)),
  contacts: [...new Set(group.map(({ qso }) => qso))].sort((a, b) => a.startedAt - b.startedAt || a.id - b.id),
});

const compareIds = (a: Incoming, b: Incoming): number => {
  const [left, right] = [idOf(a) ?? "", idOf(b) ?? ""];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
};

/**
 * The number of records minus the number of contacts if every record fits every contact, otherwise null. With no
 * surplus any order is as good as another, so time decides; with a surplus every contact will get one of the records.
 */
const surplusOf = (group: readonly Pair[], { records, contacts }: ReturnType<typeof sidesOf>): number | null =>
  group.length === records.length * contacts.length ? records.length - contacts.length : null;
