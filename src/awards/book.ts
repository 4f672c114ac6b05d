import {
  parseAwardId,
  parseAwardView,
  hasMatrix,
  type Asked,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type Needed,
  type Progress,
} from "../domain/awards/award.ts";
import type { OwnLocation } from "../domain/radio/own-place.ts";
import { defineWork } from "../storage/engine/database.ts";
import { readLog } from "../storage/log/large-log.ts";
import type { Waiting } from "../storage/engine/reader-threads.ts";
import type { Unit } from "../storage/engine/unit.ts";
import type { World } from "../world.ts";
import { awardOf } from "./catalogue.ts";
import { detail, locations, matrix, needed, overview } from "./questions.ts";
import { Rollups } from "./rollups.ts";

type Question =
  | { kind: "overview"; view: AwardView }
  | { kind: "locations"; view: AwardView }
  | { kind: "detail" | "needed" | "matrix"; id: AwardId; view: AwardView };

interface Asking {
  userId: number;
  questions: readonly Question[];
}

/** Everything about one award. The matrix is null if it would have too many rows. */
export interface AwardPages {
  detail: AwardDetail;
  needed: Needed;
  matrix: AwardMatrix | null;
}

export class Awards {
  readonly #deps: Pick<World, "db" | "cache">;

  constructor({ db, cache }: Pick<World, "db" | "cache">) {
    this.#deps = { db, cache };
  }

  /** The progress in every award. */
  async overview(userId: number, asked: Omit<Asked, "band" | "group"> = {}): Promise<Progress[]> {
    return (await this.#ask<[Progress[]]>(userId, [{ kind: "overview", view: parseAwardView(asked) }]))[0];
  }

  /** The progress in every award, and the places from which contacts were made. */
  standing(
    userId: number,
    asked: Omit<Asked, "band" | "group"> = {},
    waiting?: Waiting,
  ): Promise<[Progress[], readonly OwnLocation[]]> {
    const view = parseAwardView(asked);
    const questions = [
      { kind: "overview" as const, view },
      { kind: "locations" as const, view },
    ];
    return this.#ask(userId, questions, waiting);
  }

  /** One award with its slots. */
  async detail(userId: number, id: string, asked: Asked = {}, waiting?: Waiting): Promise<AwardDetail> {
    const question = { kind: "detail", id: parseAwardId(id), view: parseAwardView(asked) } as const;
    return (await this.#ask<[AwardDetail]>(userId, [question], waiting))[0];
  }

  async needed(userId: number, id: string, asked: Asked = {}, waiting?: Waiting): Promise<Needed> {
    const question = { kind: "needed", id: parseAwardId(id), view: parseAwardView(asked) } as const;
    return (await this.#ask<[Needed]>(userId, [question], waiting))[0];
  }

  async matrix(userId: number, id: string, asked: Omit<Asked, "band"> = {}, waiting?: Waiting): Promise<AwardMatrix> {
    const question = { kind: "matrix", id: parseAwardId(id), view: parseAwardView(asked) } as const;
    return (await this.#ask<[AwardMatrix]>(userId, [question], waiting))[0];
  }

  /** Everything a page shows of one award, counted once. */
  async pages(userId: number, name: string, asked: Asked = {}, waiting?: Waiting): Promise<AwardPages> {
    const [id, view] = [parseAwardId(name), parseAwardView(asked)];
    const hasRows = hasMatrix(awardOf(id));
    const kinds = ["detail", "needed", ...(hasRows ? (["matrix"] as const) : [])] as const;
    const questions = kinds.map((kind) => ({ kind, id, view }));
    const [detail, needed, matrix = null] = await this.#ask<[AwardDetail, Needed, AwardMatrix?]>(
      userId,
      questions,
      waiting,
    );
    return { detail, needed, matrix };
  }

  #ask<Values>(userId: number, questions: readonly Question[], waiting?: Waiting): Promise<Values> {
    const { db, cache } = this.#deps;
    const answers = cache.getOrCompute(
      userId,
      `awards ${JSON.stringify(questions)}`,
      (all) => readLog(db, awardsWork, { userId, questions }, all),
      waiting,
    );
    return answers as Promise<Values>;
  }
}

function* answer({ userId, questions }: Asking): Unit<unknown[]> {
  const reading = new Rollups(userId);
  const values: unknown[] = [];
  for (const question of questions) values.push(yield* replyTo(reading, question));
  return values;
}

function* replyTo(reading: Rollups, question: Question): Unit<unknown> {
  const { kind, view } = question;
  if (kind === "overview") return yield* overview(reading, view);
  if (kind === "locations") return yield* locations(reading, view);
  return yield* { detail, needed, matrix }[kind](reading, question.id, view);
}

export const awardsWork = defineWork("awards.answer", "read", answer);
