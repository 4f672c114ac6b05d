/** Something to go to or to do, as a person calls it. */
export interface Offer {
  label: string;
  /** What else it is called. */
  also?: string;
}

/** How well a name fits a word: its beginning, the beginning of a part of it, somewhere in it; null for not at all. */
const rankOf = (name: string, word: string): number | null => {
  const at = name.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return /[^a-z0-9]/.test(name[at - 1]!) ? 1 : 2;
  return null;
};

/** Those of which every word is a part, the best first, and of equals as they were given. */
export const fitting = <One extends Offer>(offers: readonly One[], typed: string): One[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return offers
    .flatMap((offer) => {
      const names = [offer.label.toLowerCase(), (offer.also ?? "").toLowerCase()];
      const ranks = words.map((word) => names.map((name) => rankOf(name, word)).find((rank) => rank !== null) ?? null);
      return ranks.includes(null) ? [] : [{ offer, rank: ranks.reduce<number>((sum, rank) => sum + rank!, 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ offer }) => offer);
};
