import {
  awardId,
  awardView,
  hasMatrix,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type Needed,
  type Progress,
} from "../domain/award.ts";
import type { Whereabouts } from "../domain/own-place.ts";
import { version as release } from "../../package.json";
import { RULES_VERSION } from "../domain/derive.ts";
import { defineBackgroundWork } from "../storage/database.ts";
import * as keptAnswers from "../storage/kept-answers.ts";
import { keepIfIdle } from "../storage/kept.ts";
import { isLarge } from "../storage/statistics.ts";
import type { Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { AwardCache } from "./cache.ts";
import { awardOf } from "./catalogue.ts";
import { detail, locations, matrix, needed, overview } from "./questions.ts";
import { Reading } from "./reading.ts";

/** How somebody asks to see awards, in their own words. */
export interface Asked {
  band?: string | null;
  group?: string | null;
  by?: string | null;
  station?: string | null;
  location?: string | null;
}

type Question =
  | { kind: "overview"; view: AwardView }
  | { kind: "locations"; view: AwardView }
  | { kind: "detail" | "needed" | "matrix"; id: AwardId; view: AwardView };

interface Asking {
  userId: number;
  questions: readonly Question[];
}

/** Replies in the order of the questions, and the version of the log they were read from. */
interface Replies {
  version: number;
  values: unknown[];
}

/** All about one award; no matrix where it has too many names for a row each, or one band is asked for. */
export interface AwardPages {
  detail: AwardDetail;
  needed: Needed;
  matrix: AwardMatrix | null;
}

/** Answers what people ask of their awards, from memory where the log is still the same. */
export class AwardBook {
  readonly #db: World["db"];
  readonly #cache: AwardCache;

  constructor({ db, clock }: Pick<World, "db" | "clock">, most?: number) {
    this.#db = db;
    this.#cache = new AwardCache(clock, most);
  }

  /** Where somebody stands in every award. */
  async overview(userId: number, asked: Omit<Asked, "band" | "group"> = {}): Promise<Progress[]> {
    return (await this.#ask<[Progress[]]>(userId, [{ kind: "overview", view: awardView(asked) }]))[0];
  }

  /** Where somebody stands in every award, and where contacts were made from. */
  standing(userId: number, asked: Omit<Asked, "band" | "group"> = {}): Promise<[Progress[], readonly Whereabouts[]]> {
    const view = awardView(asked);
    return this.#ask(userId, [
      { kind: "overview", view },
      { kind: "locations", view },
    ]);
  }

  /** One award with its slots. */
  async detail(userId: number, id: string, asked: Asked = {}): Promise<AwardDetail> {
    const question = { kind: "detail", id: awardId(id), view: awardView(asked) } as const;
    return (await this.#ask<[AwardDetail]>(userId, [question]))[0];
  }

  /** What was never worked, and what is not confirmed. */
  async needed(userId: number, id: string, asked: Asked = {}): Promise<Needed> {
    const question = { kind: "needed", id: awardId(id), view: awardView(asked) } as const;
    return (await this.#ask<[Needed]>(userId, [question]))[0];
  }

  /** What was worked and confirmed on each band. */
  async matrix(userId: number, id: string, asked: Omit<Asked, "band"> = {}): Promise<AwardMatrix> {
    const question = { kind: "matrix", id: awardId(id), view: awardView(asked) } as const;
    return (await this.#ask<[AwardMatrix]>(userId, [question]))[0];
  }

  /** All that a page shows of one award, counted once. */
  async pages(userId: number, name: string, asked: Asked = {}): Promise<AwardPages> {
    const [id, view] = [awardId(name), awardView(asked)];
    const hasRows = view.band === null && hasMatrix(awardOf(id));
    const kinds = ["detail", "needed", ...(hasRows ? (["matrix"] as const) : [])] as const;
    const questions = kinds.map((kind) => ({ kind, id, view }));
    const [detail, needed, matrix = null] = await this.#ask<[AwardDetail, Needed, AwardMatrix?]>(userId, questions);
    return { detail, needed, matrix };
  }

  async #ask<Values>(userId: number, questions: readonly Question[]): Promise<Values> {
    const version = await this.#db.read(() => users.logVersion(userId));
    const names = questions.map((question) => JSON.stringify(question));
    const known = names.map((name) => this.#cache.find(userId, version, name));
    if (known.every((value) => value !== undefined)) return known as Values;
    const replies = await this.#read({ userId, questions });
    for (const [at, name] of names.entries()) this.#cache.keep(userId, replies.version, name, replies.values[at]);
    return replies.values as Values;
  }

  async #read(asking: Asking): Promise<Replies> {
    const { userId, questions } = asking;
    const isKept = questions.every(isOfWholeLog) && (await this.#db.read(() => isLarge(userId, WORTH_KEEPING)));
    const kept = isKept ? await this.#db.read(() => keptReplies(asking)) : null;
    if (kept !== null) return kept;
    const small = await this.#db.read(function* () {
      return (yield* isLarge(userId)) ? null : yield* answer(asking);
    });
    const replies = small ?? (await this.#db.inBackground(awardsWork, asking));
    if (isKept) await keepIfIdle(() => this.#db.write(() => keepReplies(asking, replies)));
    return replies;
  }
}

/** The awards of a log of fewer contacts are soon counted. */
const WORTH_KEEPING = 2_000;

/** What every visit to a log asks for is kept: that it was counted outlives the program. */
const isOfWholeLog = ({ kind, view }: Question): boolean =>
  (kind === "overview" || kind === "locations") && JSON.stringify(view) === JSON.stringify(awardView({}));

const nameOf = (userId: number, question: Question) => ({
  userId,
  question: JSON.stringify(question),
  program: `${release} ${RULES_VERSION}`,
});

/** Null where one of the answers is not kept of the log as it is. */
function* keptReplies({ userId, questions }: Asking): Unit<Replies | null> {
  const version = yield* users.logVersion(userId);
  const values: unknown[] = [];
  for (const question of questions) values.push(yield* keptAnswers.find(nameOf(userId, question)));
  return values.includes(undefined) ? null : { version, values };
}

function* keepReplies({ userId, questions }: Asking, { version, values }: Replies): Unit<void> {
  for (const [at, question] of questions.entries())
    yield* keptAnswers.keep(nameOf(userId, question), version, values[at]);
}

/** Counts what every visit to a log asks for, before anybody does; a small one is soon counted. */
export const countAhead = async (deps: Pick<World, "db" | "clock">, userId: number): Promise<void> => {
  if (await deps.db.read(() => isLarge(userId, WORTH_KEEPING))) await new AwardBook(deps).standing(userId);
};

function* answer({ userId, questions }: Asking): Unit<Replies> {
  const version = yield* users.logVersion(userId);
  const reading = new Reading(userId);
  const values: unknown[] = [];
  for (const question of questions) values.push(yield* replyTo(reading, question));
  return { version, values };
}

function* replyTo(reading: Reading, question: Question): Unit<unknown> {
  const { kind, view } = question;
  if (kind === "overview") return yield* overview(reading, view);
  if (kind === "locations") return yield* locations(reading, view);
  return yield* { detail, needed, matrix }[kind](reading, question.id, view);
}

export const awardsWork = defineBackgroundWork("awards.answer", "read", answer);
