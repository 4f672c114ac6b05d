// Plays any seeds by hand: bun test/model/run.ts SEED… [--until STEP] [--find FAULT,…] [--shrink]
import { FAULTS, isFault } from "./faults.ts";
import { play, describeFailure, type Options, type Outcome } from "./play.ts";

const main = async (): Promise<number> => {
  const words = process.argv.slice(2);
  const option = (name: string): string | undefined => {
    const at = words.indexOf(`--${name}`);
    return at < 0 ? undefined : words.splice(at, 2)[1];
  };
  const steps = Number(option("until") ?? 300);
  const lookFor = (option("find") ?? "").split(",").filter((name) => name !== "");
  const unknown = lookFor.filter((name) => !isFault(name));
  if (unknown.length > 0) {
    console.error(`There is no fault ${unknown.join(", ")}. The faults are: ${Object.keys(FAULTS).join(", ")}`);
    return 2;
  }
  const shrinks = words.includes("--shrink");
  let failed = 0;
  for (const seed of words.filter((word) => /^\d+$/.test(word)).map(Number)) {
    const begun = performance.now();
    const options = { steps, lookFor: lookFor.filter(isFault) };
    const outcome = await play(seed, options);
    const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
    console.log(`seed ${seed}: ${outcome.problem ? "FAILED" : "ok"} after ${outcome.steps} operations in ${seconds} s`);
    if (!outcome.problem) continue;
    failed += 1;
    console.log(describeFailure(shrinks ? await shrunk(outcome, options) : outcome));
  }
  return failed === 0 ? 0 : 1;
};

/** Leaves out whatever the problem does not need. */
const shrunk = async (outcome: Outcome, options: Options): Promise<Outcome> => {
  const steps = outcome.steps + 1;
  const skip = new Set<number>();
  let smallest = outcome;
  const first = headingOf(outcome);
  // The log of earlier moments takes most of the time, and fails only by itself.
  const marks = first.includes("as of") ? {} : { marks: { some: 0, atEnd: 0 } };
  for (let size = steps >> 1; size >= 1; size >>= 1) {
    for (let from = 0; from < steps - 1; from += size) {
      const more = new Set([
        ...skip,
        ...Array.from({ length: Math.min(size, steps - 1 - from) }, (_, index) => from + index),
      ]);
      if (more.size === skip.size) continue;
      const tried = await play(outcome.seed, { ...options, ...marks, steps, skip: more });
      if (tried.problem === null || headingOf(tried) !== first) continue;
      for (const step of more) skip.add(step);
      smallest = tried;
    }
  }
  return smallest;
};

const headingOf = ({ problem }: Outcome): string => problem!.message.split("\n")[0]!.replace(/\d+/g, "");

process.exit(await main());
