import { DAY } from "../domain/clock.ts";
import type { Stretch } from "../storage/qsos.ts";
import type { Incoming } from "./incoming.ts";
import { TOLERANCE } from "./match.ts";

const WORTH_A_CUT = 7 * DAY;
const MOST = 64;

/**
 * The times around which the records of a page look for their contacts. A log that comes in no order has years within
 * one page: asked for as one stretch, every page would load most of the log.
 */
export const stretchesOf = (records: readonly Incoming[]): Stretch[] => {
  const inOrder = records.map(({ key }) => key).sort((a, b) => a.at - b.at);
  const cuts = cutsOf(inOrder.map(({ at }) => at));
  return [0, ...cuts].flatMap((start, index) => {
    const keys = inOrder.slice(start, cuts[index]);
    if (keys.length === 0) return [];
    const calls = [...new Set(keys.map(({ call }) => call))];
    return [{ calls, from: keys[0]!.at - TOLERANCE, to: keys.at(-1)!.at + TOLERANCE }];
  });
};

/** Where the longest pauses end, in order. */
const cutsOf = (times: readonly number[]): number[] =>
  times
    .map((at, index) => ({ index, pause: index === 0 ? 0 : at - times[index - 1]! }))
    .filter(({ pause }) => pause > WORTH_A_CUT)
    .sort((a, b) => b.pause - a.pause)
    .slice(0, MOST - 1)
    .map(({ index }) => index)
    .sort((a, b) => a - b);

/** Records of one station that could mean the same contacts, each in the order they came in. */
export const neighboursOf = (records: readonly Incoming[]): Incoming[][] => {
  const place = new Map(records.map((incoming, index) => [incoming, index]));
  return [...Map.groupBy(records, ({ key }) => key.call).values()].flatMap((ofCall) => {
    const inOrder = ofCall.toSorted((a, b) => a.key.at - b.key.at);
    const starts = inOrder.flatMap(({ key }, index) =>
      index === 0 || key.at - inOrder[index - 1]!.key.at > 2 * TOLERANCE ? [index] : [],
    );
    return starts.map((start, index) =>
      inOrder.slice(start, starts[index + 1]).sort((a, b) => place.get(a)! - place.get(b)!),
    );
  });
};
