import type { AdifRecord } from "../domain/contact/adif-record.ts";
import { type Clock, DAY, HOUR, MINUTE } from "../kernel/clock.ts";
import { toFileRecord, type SimulatedWorld } from "../simulated/world.ts";
import type { Stage } from "./stage.ts";

export const STORY_TAKES = 6 * DAY;
const A_LOOK_TAKES = 35;

/** The time of the story. It advances slightly with each reading; after the story it follows the clock. */
export class StoryTime {
  #now: number;
  #real: Clock | null = null;

  readonly #lookTakes: number;

  constructor(start: number, lookTakes = A_LOOK_TAKES) {
    this.#now = start;
    this.#lookTakes = lookTakes;
  }

  readonly clock: Clock = () => this.#real?.() ?? (this.#now += this.#lookTakes);

  turnTo(at: number): void {
    this.#now = at;
  }

  catchUp(real: Clock): void {
    this.#real = real;
  }
}

/** Six days with every kind of job. At the end there is news that nobody has downloaded yet. */
export const play = async (world: SimulatedWorld, stage: Stage, time: StoryTime, now: number): Promise<void> => {
  time.turnTo(now - STORY_TAKES);
  await stage.fill(world.entries);

  time.turnTo(now - 5 * DAY);
  const twice = world.createContact(now - 5 * DAY - 2 * HOUR);
  const again = { ...twice, at: twice.at + 10 * MINUTE };
  const late = strangers(world, now - 5 * DAY, 30);
  const known = world.entries.slice(-25).map(({ contact }) => contact);
  await stage.import([...[...known, ...late, twice, again].map(toFileRecord), NO_SUCH_DAY]);

  time.turnTo(now - 3 * DAY);
  world.addNews({ contacts: 8, confirmations: 12 });
  const failed = await failInTheMiddle(world, stage);
  time.turnTo(now - 3 * DAY + 20 * MINUTE);
  await stage.rollBack(failed);

  time.turnTo(now - 26 * HOUR);
  world.addNews({ contacts: 14, confirmations: 30 });
  await stage.sync("first");

  time.turnTo(now - 25 * HOUR);
  const { SUBMODE: _, ...between } = toFileRecord({ ...twice, at: twice.at + 5 * MINUTE }).fields;
  world.addRecord(between);
  world.addRecord(NO_SUCH_DAY.fields);
  await stage.sync("second");

  time.turnTo(now - 4 * HOUR);
  world.addNews({ contacts: 9, confirmations: 10, also: late.slice(0, 12) });
  await failInTheMiddle(world, stage);

  time.turnTo(now - 2 * HOUR);
  const older = world.entries.slice(-90, -75).map(({ contact }) => contact);
  await stage.importAndHang([...older, ...strangers(world, now - 3 * HOUR, 20)].map(toFileRecord));

  time.turnTo(now - 10 * MINUTE);
  world.addNews({ contacts: 6, confirmations: 20 });
};

/** The first query succeeds, the query for confirmations never completes. */
const failInTheMiddle = async ({ services }: SimulatedWorld, stage: Stage): Promise<number> => {
  const { first } = services;
  const recover = first.fail({
    kind: "truncate",
    at: 900,
    times: Number.POSITIVE_INFINITY,
    when: ({ params }) => params.get("qso_qsl") === "yes",
  });
  const job = await stage.sync("first");
  recover();
  return job;
};

/** Contacts that only the operator's own program knows. */
const strangers = (world: SimulatedWorld, before: number, count: number) =>
  Array.from({ length: count }, (_, number) => world.createContact(before - number * 3 * MINUTE));

/** A record with an impossible date. */
const NO_SUCH_DAY: AdifRecord = {
  fields: { CALL: "K1ABC", QSO_DATE: "20240231", TIME_ON: "1200", BAND: "20m", MODE: "CW" },
};
