import { DAY } from "../kernel/clock.ts";
import { getEntityName } from "../domain/radio/entity.ts";
import type { Places } from "../domain/jobs/gains.ts";
import { listGains, type JobGains } from "../storage/jobs/sync-jobs.ts";
import type { Unit } from "../storage/engine/unit.ts";

/** The period if no date is given. */
export const NEWS_OF = 30 * DAY;

/** Places with the names that people know. */
interface NamedPlaces extends Omit<Places, "entities"> {
  entities: { key: number; label: string }[];
}

export interface NewsOfJob extends Omit<JobGains, "gains"> {
  worked: NamedPlaces;
  confirmed: NamedPlaces;
}

export interface News {
  since: number;
  jobs: NewsOfJob[];
}

/** What jobs added, newest first. Jobs that added nothing are left out. */
export function* news(userId: number, since: number): Unit<News> {
  const found = yield* listGains(userId, since);
  const jobs = found.map(({ gains, ...job }) => ({
    ...job,
    worked: named(gains.worked),
    confirmed: named(gains.confirmed),
  }));
  return { since, jobs: jobs.filter(({ worked, confirmed }) => hasAny(worked) || hasAny(confirmed)) };
}

const named = (places: Places): NamedPlaces => ({
  ...places,
  entities: places.entities.map((key) => ({ key, label: getEntityName(key) })),
});

const hasAny = (places: NamedPlaces): boolean => Object.values(places).some((list: unknown[]) => list.length > 0);
