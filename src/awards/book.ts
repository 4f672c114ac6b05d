import {
  awardId,
  awardView,
  type AwardDetail,
  type AwardId,
  type AwardMatrix,
  type AwardView,
  type Needed,
  type Progress,
} from "../domain/award.ts";
import type { Whereabouts } from "../domain/own-place.ts";
import { defineBackgroundWork } from "../storage/database.ts";
import { isLarge } from "../storage/statistics.ts";
import type { Unit } from "../storage/unit.ts";
import * as users from "../storage/users.ts";
import type { World } from "../world.ts";
import { AwardCache } from "./cache.ts";
import { detail, locations, matrix, needed, overview } from "./questions.ts";

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

/** A reply, and the version of the log it was read from. */
interface Reply {
  version: number;
  value: unknown;
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
  overview(userId: number, asked: Omit<Asked, "band" | "group"> = {}): Promise<Progress[]> {
    return this.#ask(userId, { kind: "overview", view: awardView(asked) });
  }

  /** Where contacts were made from. */
  locations(userId: number, asked: Omit<Asked, "band" | "group"> = {}): Promise<readonly Whereabouts[]> {
    return this.#ask(userId, { kind: "locations", view: awardView(asked) });
  }

  /** One award with its slots. */
  detail(userId: number, id: string, asked: Asked = {}): Promise<AwardDetail> {
    return this.#ask(userId, { kind: "detail", id: awardId(id), view: awardView(asked) });
  }

  /** What was never worked, and what is not confirmed. */
  needed(userId: number, id: string, asked: Asked = {}): Promise<Needed> {
    return this.#ask(userId, { kind: "needed", id: awardId(id), view: awardView(asked) });
  }

  /** What was worked and confirmed on each band. */
  matrix(userId: number, id: string, asked: Omit<Asked, "band"> = {}): Promise<AwardMatrix> {
    return this.#ask(userId, { kind: "matrix", id: awardId(id), view: awardView(asked) });
  }

  async #ask<T>(userId: number, question: Question): Promise<T> {
    const version = await this.#db.read(() => users.logVersion(userId));
    const name = JSON.stringify(question);
    const known = this.#cache.find(userId, version, name);
    if (known !== undefined) return known as T;
    const reply = await this.#read(userId, question);
    this.#cache.keep(userId, reply.version, name, reply.value);
    return reply.value as T;
  }

  async #read(userId: number, question: Question): Promise<Reply> {
    const small = await this.#db.read(function* () {
      return (yield* isLarge(userId)) ? null : yield* answer({ userId, question });
    });
    return small ?? this.#db.inBackground(awardsWork, { userId, question });
  }
}

function* answer({ userId, question }: { userId: number; question: Question }): Unit<Reply> {
  const version = yield* users.logVersion(userId);
  const { kind, view } = question;
  if (kind === "overview") return { version, value: yield* overview(userId, view) };
  if (kind === "locations") return { version, value: yield* locations(userId, view) };
  const read = { detail, needed, matrix }[kind];
  return { version, value: yield* read(userId, question.id, view) };
}

export const awardsWork = defineBackgroundWork("awards.answer", "read", answer);
