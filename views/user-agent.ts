/** The first match decides, because most browsers also name others. */
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

/** Browser and system in two words; for other programs the complete text. */
export const shortenUserAgent = (userAgent: string): string => {
  const named = (list: typeof BROWSERS) => list.find(([sign]) => userAgent.includes(sign))?.[1];
  const browser = userAgent.startsWith("Mozilla/") ? named(BROWSERS) : undefined;
  if (browser === undefined) return userAgent;
  const system = named(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
};
