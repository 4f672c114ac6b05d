/** An entry of the command palette: a page or an action. */
export interface PaletteEntry {
  label: string;
  /** Other names for it. */
  also?: string;
}

/**
 * How well a name matches a word: at the beginning, at the beginning of a part, or anywhere. Null if it does not match.
 */
const rankName = (name: string, word: string): number | null => {
  const at = name.indexOf(word);
  if (at === 0) return 0;
  if (at > 0) return /[^a-z0-9]/.test(name[at - 1]!) ? 1 : 2;
  return null;
};

/** The entries that match every typed word, best first, otherwise in the given order. */
export const filterEntries = <One extends PaletteEntry>(offers: readonly One[], typed: string): One[] => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return offers
    .flatMap((offer) => {
      const names = [offer.label.toLowerCase(), (offer.also ?? "").toLowerCase()];
      const ranks = words.map(
        (word) => names.map((name) => rankName(name, word)).find((rank) => rank !== null) ?? null,
      );
      return ranks.includes(null) ? [] : [{ offer, rank: ranks.reduce<number>((sum, rank) => sum + rank!, 0) }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ offer }) => offer);
};
