import type { Asked, Awards } from "../awards/book.ts";
import { news, NEWS_OF, type News } from "../awards/news.ts";
import { toNeededView, type AwardDetail, type AwardMatrix } from "../domain/awards/award.ts";
import { parseDay } from "../kernel/day.ts";
import { parseStations } from "../domain/contact/qso-filter.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { AwardParameters, AwardsDocument, NeededDocument, OfPast, WithoutContacts } from "./contract.ts";
import { readAsOf, type PastLogs } from "./as-of.ts";
import { findWithoutContacts } from "./statistics.ts";

type Desk = Pick<World, "db" | "clock"> & { awards: Awards; pasts: PastLogs };
type Then = Pick<Desk, "db" | "awards">;

/** The progress of every award. */
export const awards = (
  desk: Desk,
  asker: LogCaller,
  { asOf, ...asked }: Omit<AwardParameters, "band" | "group"> = {},
): Promise<AwardsDocument> =>
  readAsOf(desk, asker, asOf, async (then) => {
    const [awards, locations] = await then.awards.standing(asker.id, asked, asker);
    return { awards, locations, ...(await findSilent(then, asker.id, asked)) };
  });

/** One award with its slots. */
export const award = (
  desk: Desk,
  asker: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<AwardDetail & WithoutContacts & OfPast> =>
  readAsOf(desk, asker, asOf, async (then) => ({
    ...(await then.awards.detail(asker.id, name, asked, asker)),
    ...(await findSilent(then, asker.id, asked)),
  }));

/** What was worked and confirmed on each band. */
export const matrix = (
  desk: Desk,
  asker: LogCaller,
  name: string,
  { asOf, ...asked }: Omit<AwardParameters, "band"> = {},
): Promise<AwardMatrix & WithoutContacts & OfPast> =>
  readAsOf(desk, asker, asOf, async (then) => ({
    ...(await then.awards.matrix(asker.id, name, asked, asker)),
    ...(await findSilent(then, asker.id, asked)),
  }));

/** The slots that were never worked, and those that are not confirmed. */
export const needed = (
  desk: Desk,
  asker: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<NeededDocument & WithoutContacts & OfPast> =>
  readAsOf(desk, asker, asOf, async (then) => ({
    ...toNeededView(await then.awards.needed(asker.id, name, asked, asker)),
    ...(await findSilent(then, asker.id, asked)),
  }));

export interface AwardSheet extends OfPast {
  award: AwardDetail & WithoutContacts;
  needed: NeededDocument;
  /** Only for awards with few enough names, and if no band is selected. */
  matrix: AwardMatrix | null;
}

/** Everything that an award's page shows. */
export const awardSheet = (
  desk: Desk,
  asker: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters,
): Promise<AwardSheet> =>
  readAsOf(desk, asker, asOf, async (then) => {
    const { detail, needed, matrix } = await then.awards.pages(asker.id, name, asked, asker);
    const award = { ...detail, ...(await findSilent(then, asker.id, asked)) };
    return { award, needed: toNeededView(needed), matrix };
  });

const findSilent = (desk: Then, userId: number, { station }: Asked): Promise<WithoutContacts> =>
  findWithoutContacts(desk, userId, parseStations(station));

/** What jobs newly brought; by default those of the last month. */
export const newsSince = (
  { db, clock }: Pick<World, "db" | "clock">,
  { id }: LogCaller,
  since: string | undefined,
): Promise<News> => {
  const from = since === undefined ? clock() - NEWS_OF : parseDay(since, "since");
  return db.read(() => news(id, from));
};
