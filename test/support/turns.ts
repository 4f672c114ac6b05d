import { SYSTEM_TIME } from "../../src/kernel/time.ts";

/** How many turns of the event loop everybody else has while the work goes on. */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, isOver] = [0, false];
  const counting = (async () => {
    for (; !isOver; turns += 1) await SYSTEM_TIME.next();
  })();
  await work();
  isOver = true;
  await counting;
  return turns;
};
