const MAX_DISTANCE = 2;
/** A word of three letters can have one wrong letter. */
const LETTERS_PER_MISTAKE = 3;

/** `Did you mean …?`, or nothing if no word is similar. */
export const suggest = (word: string, known: readonly string[], maxDistance = MAX_DISTANCE): string => {
  const near = known
    .map((one) => ({ one, distance: distanceBetween(word.toLowerCase(), one.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.min(maxDistance, Math.max(1, word.length / LETTERS_PER_MISTAKE)));
  const best = Math.min(...near.map(({ distance }) => distance));
  const found = near.filter(({ distance }) => distance === best).map(({ one }) => one);
  if (found.length === 0) return "";
  return ` Did you mean ${found.length > 1 ? `one of ${found.join(", ")}` : found[0]}?`;
};

/** How many letters are missing, too many, wrong or exchanged with their neighbour. */
export const distanceBetween = (a: string, b: string): number => {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = above;
    above = row;
  }
  return above[b.length]!;
};
