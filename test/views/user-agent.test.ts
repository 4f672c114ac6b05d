import { expect, test } from "bun:test";
import { shortenUserAgent } from "../../views/user-agent.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

const cases: [string, string][] = [
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`, "Edge on Windows"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  ["Mozilla/5.0 (compatible; something else)", "Mozilla/5.0 (compatible; something else)"],
  ["qsolog/0.1.0 Firefox/1", "qsolog/0.1.0 Firefox/1"],
];
test.each(cases)("%s is shown in short", (userAgent, short) => {
  expect(shortenUserAgent(userAgent)).toBe(short);
});
