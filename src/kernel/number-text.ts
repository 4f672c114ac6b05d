export const formatNumber = (count: number): string => String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, ",");

export const megahertz = (hertz: number): string => `${hertz / 1e6} MHz`;

export const formatPlural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

/** A size in kB, MB or GB. */
export const formatSize = (bytes: number): string => {
  if (bytes < 1_000_000) return `${formatNumber(Math.ceil(bytes / 1000))} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
};

/** A number with its noun: "1 job", "1,200 jobs". */
export const formatCount = (count: number, one: string, many?: string): string =>
  `${formatNumber(count)} ${formatPlural(count, one, many)}`;

/**
 * Each part as whole percent of the total. They add up to `shared`: all are rounded down, and the largest remainders
 * get what is missing. No part reaches 100 % next to another part.
 */
export const computePercentages = (parts: readonly number[], shared = 100): number[] => {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole === 0) return parts.map(() => 0);
  const shares = parts.map((part) => Math.floor((shared * part) / whole));
  const missing = shared - shares.reduce((sum, share) => sum + share, 0);
  const isFull = (index: number): number => Number(shares[index] === shared - 1);
  const next = parts
    .map((part, index) => ({ part, index, remainder: (shared * part) % whole }))
    .filter(({ remainder }) => remainder > 0)
    .sort((a, b) => isFull(a.index) - isFull(b.index) || b.remainder - a.remainder || b.part - a.part);
  for (const { index } of next.slice(0, missing)) shares[index]! += 1;
  return shares;
};

export const formatPercent = (share: number): string => `${share} %`;

/** A part as percent of a whole, rounded so that the part and the rest add up to 100. */
export const formatShare = (part: number, whole: number): string =>
  whole === 0 ? "–" : formatPercent(computePercentages([part, whole - part])[0]!);
