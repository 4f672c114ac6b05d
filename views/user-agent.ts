/** The first that is named decides: most browsers name others too. */
const BROWSERS: readonly (readonly [sign: string, name: string])[] = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];

const SYSTEMS: readonly (readonly [sign: string, name: string])[] = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** What a browser calls itself, in two words; of a program all that it says. */
export const inShort = (userAgent: string): string => {
  const named = (list: typeof BROWSERS) => list.find(([sign]) => userAgent.includes(sign))?.[1];
  const browser = userAgent.startsWith("Mozilla/") ? named(BROWSERS) : undefined;
  if (browser === undefined) return userAgent;
  const system = named(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
};
