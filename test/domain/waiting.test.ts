import { expect, test } from "bun:test";
import { describeWaiting, type WaitingContact } from "../../src/domain/awards/waiting.ts";
import { DAY } from "../../src/kernel/clock.ts";

const NOW = Date.UTC(2026, 7, 1);
const contact = (first: "W" | "–", days = 400): WaitingContact => ({
  id: 1,
  call: "E6DVB",
  startedAt: NOW - days * DAY,
  band: "40m",
  mode: "FT8",
  submode: null,
  stationCallsign: null,
  marks: { first, second: "–", card: "–" },
});

test.each([
  ["it is not at the service", ["first", "card"], [], contact("–"), "Not on LoTW", "Upload it to LoTW"],
  ["it is recent", ["first", "card"], [], contact("W", 20), "Recent: most upload within 90 days", "Wait"],
  [
    "the other station has not uploaded",
    ["first", "card"],
    [],
    contact("W"),
    "No LoTW upload by E6DVB",
    "Ask for a card",
  ],
  ["no card counts", ["first"], [], contact("W"), "No LoTW upload by E6DVB", "Ask for LoTW"],
  ["another service confirmed it", ["first", "card"], ["second"], contact("W"), "Only on QRZ", "Ask for LoTW"],
  ["only cards count", ["card"], [], contact("W"), "No card yet", "Ask for a card"],
  [
    "a service confirmed what only cards count for",
    ["card"],
    ["first", "second"],
    contact("W"),
    "Only on LoTW and QRZ",
    "Ask for a card",
  ],
] as const)("a slot waits because %s", (_why, accepts, elsewhere, qso, missing, advice) => {
  expect(describeWaiting({ accepts }, elsewhere, qso, NOW)).toEqual({ missing, advice });
});
