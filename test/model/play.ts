import { weighted } from "../support/chance.ts";
import { cleanUp } from "../support/cleanup.ts";
import { Difference } from "./checks.ts";
import type { Fault } from "./faults.ts";
import { FAULT_OPERATIONS, OPERATIONS } from "./operations.ts";
import { aProgram } from "./program.ts";
import { Session, type Operation } from "./session.ts";

export interface Options {
  steps?: number;
  /** Known faults to look for instead of steering around them. */
  lookFor?: readonly Fault[];
  /** How many earlier moments to check every 25 steps and at the end. */
  marks?: { some: number; atEnd: number };
  /** Steps to skip. */
  skip?: ReadonlySet<number>;
}

/** The result of a sequence. */
export interface Outcome {
  seed: number;
  steps: number;
  problem: Error | null;
  trace: readonly string[];
  lookFor: readonly Fault[];
}

const MARKS_EVERY = 25;
const MARKS = { some: 4, atEnd: Number.POSITIVE_INFINITY };

/** Runs a sequence of operations, and compares the program with the model after each of them. */
export const play = async (
  seed: number,
  { steps = 300, lookFor = [], marks = MARKS, skip = new Set() }: Options = {},
): Promise<Outcome> => {
  const session = new Session(await aProgram(), new Set(lookFor));
  const wanted = lookFor.flatMap((fault) => FAULT_OPERATIONS[fault] ?? []);
  let step = 0;
  let problem: Error | null = null;
  try {
    for (; step < steps; step++) {
      if (skip.has(step)) continue;
      session.beginStep(seed, step);
      const [name, run] = operationOf(session, step > 10 ? wanted : []);
      session.say(`step ${step}: ${name}`);
      await run(session);
      await session.endStep();
      if (step % MARKS_EVERY === MARKS_EVERY - 1) await session.checkMarks(marks.some);
    }
    await session.checkMarks(marks.atEnd);
  } catch (error) {
    problem = error as Error;
  } finally {
    await cleanUp();
  }
  return { seed, steps: step, problem, trace: session.trace, lookFor };
};

const LINES_SHOWN = 60;

/** The seed, the step, the last operations and the difference. */
export const describeFailure = ({ seed, steps, problem, trace, lookFor }: Outcome): string =>
  [
    `seed ${seed}: operation ${steps} failed`,
    ...trace.slice(-LINES_SHOWN).map((line) => line.slice(0, 1_000)),
    problem instanceof Difference ? problem.message : String(problem?.stack),
    `Again: bun test/model/run.ts ${seed} --until ${steps + 1}${lookFor.length > 0 ? ` --find ${lookFor.join(",")}` : ""}`,
  ].join("\n");

const WEIGHTS = OPERATIONS.map(([name, weight]) => [name, weight] as const);

const operationOf = (session: Session, wanted: readonly Operation[]): readonly [name: string, run: Operation] => {
  if (wanted.length > 0 && session.chance(0.2)) {
    const run = session.draw(wanted);
    return [run.name, run];
  }
  const name = weighted(WEIGHTS, session.random());
  return [name, OPERATIONS.find(([one]) => one === name)![2]];
};
