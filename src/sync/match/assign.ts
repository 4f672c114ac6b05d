import type { Qso } from "../../domain/contact/qso.ts";
import { getServiceId, type Incoming } from "./incoming.ts";
import { compareFits, computeFit, isCandidate, type Fit } from "./match.ts";

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
        .map((qso): Pair => ({ incoming, qso, fit: computeFit(incoming, qso) })),
    )
    .sort((a, b) => compareFits(a.fit, b.fit));
  const matched = new Map<Incoming, Qso>();
  const blocked = new Set<Incoming>();
  /** Contacts that have a record, or will get one of several. */
  const taken = new Set<Qso>();
  /** Contacts that may or may not get one of several records. */
  const open = new Set<Qso>();
  for (const level of groupByFit(pairs)) {
    const left = level.filter(
      ({ incoming, qso }) => !matched.has(incoming) && !blocked.has(incoming) && !taken.has(qso),
    );
    for (const group of groupConnected(left)) {
      const sides = splitPairs(group);
      const surplus = sides.contacts.some((qso) => open.has(qso)) ? null : countSurplus(group, sides);
      if (surplus === 0) sides.records.forEach((incoming, index) => matched.set(incoming, sides.contacts[index]!));
      else for (const incoming of sides.records) blocked.add(incoming);
      const claimed = surplus !== null && surplus >= 0 ? taken : open;
      for (const qso of sides.contacts) claimed.add(qso);
    }
  }
  const given = new Set(matched.values());
  const findCandidates = (incoming: Incoming) =>
    pairs.filter((pair) => pair.incoming === incoming && !given.has(pair.qso)).map(({ qso }) => qso);
  const ambiguous = new Map([...blocked].map((incoming) => [incoming, findCandidates(incoming)]));
  const unclaimed = records.filter((incoming) => !matched.has(incoming) && !blocked.has(incoming));
  return { matched, ambiguous, unclaimed };
};

const groupByFit = (pairs: readonly Pair[]): Pair[][] => {
  const levels: Pair[][] = [];
  for (const pair of pairs) {
    const level = levels.at(-1);
    if (level && compareFits(level[0]!.fit, pair.fit) === 0) level.push(pair);
    else levels.push([pair]);
  }
  return levels;
};

/** Groups pairs that share a record or a contact. */
const groupConnected = (pairs: readonly Pair[]): Pair[][] => {
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

const splitPairs = (group: readonly Pair[]): { records: Incoming[]; contacts: Qso[] } => ({
  records: [...new Set(group.map(({ incoming }) => incoming))].sort((a, b) => a.key.at - b.key.at || compareIds(a, b)),
  contacts: [...new Set(group.map(({ qso }) => qso))].sort((a, b) => a.startedAt - b.startedAt || a.id - b.id),
});

const compareIds = (a: Incoming, b: Incoming): number => {
  const [left, right] = [getServiceId(a) ?? "", getServiceId(b) ?? ""];
  return left.length - right.length || (left < right ? -1 : left > right ? 1 : 0);
};

/**
 * The number of records minus the number of contacts if every record fits every contact, otherwise null. With no
 * surplus any order is as good as another, so time decides; with a surplus every contact will get one of the records.
 */
const countSurplus = (group: readonly Pair[], { records, contacts }: ReturnType<typeof splitPairs>): number | null =>
  group.length === records.length * contacts.length ? records.length - contacts.length : null;
