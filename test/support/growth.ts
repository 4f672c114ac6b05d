/** The shortest of some attempts, because other processes can use the processor. */
const millisecondsOf = (work: () => void, tries: number): number => {
  let least = Infinity;
  for (let n = 0; n < tries; n++) {
    const began = performance.now();
    work();
    least = Math.min(least, performance.now() - began);
  }
  return least;
};

/** Shorter times are too short to compare. */
const MIN_MS = 1;
const LONGER = 4;
/** Four times the text takes four times as long if the time is linear, and sixteen times if it is quadratic. */
const MAX_GROWTH = 8;
const ROUNDS = 8;

/** Whether a text four times as long takes clearly more than four times as long, in every attempt. */
export const growsTooFast = <T>(
  make: (size: number) => T,
  size: number,
  work: (made: T) => void,
  rounds = ROUNDS,
): boolean => {
  const short = make(size);
  if (millisecondsOf(() => work(short), 1) < MIN_MS) return false;
  if (millisecondsOf(() => work(short), 3) < MIN_MS) return false;
  const long = make(LONGER * size);
  for (let round = 0; round < rounds; round++) {
    const once = millisecondsOf(() => work(short), 2);
    if (millisecondsOf(() => work(long), 1) <= MAX_GROWTH * once) return false;
  }
  return true;
};
