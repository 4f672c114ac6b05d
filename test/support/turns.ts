/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** How many turns of the event loop other work gets meanwhile. */
export const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let [turns, isOver] = [0, false];
  const counting = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  await work();
  isOver = true;
  await counting;
  return turns;
};
