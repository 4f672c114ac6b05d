import type { Asked, AwardBook } from "../awards/book.ts";
import { news, NEWS_OF, type News } from "../awards/news.ts";
import { neededView, type AwardDetail, type AwardMatrix } from "../domain/award.ts";
import { parseDay } from "../domain/day.ts";
import { parseStations } from "../domain/qso-filter.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { AwardsDocument, NeededDocument, WithoutContacts } from "./contract.ts";
import { withoutContacts } from "./statistics.ts";

type Desk = Pick<World, "db"> & { awards: AwardBook };

/** Where somebody stands in every award. */
export const awards = async (
  desk: Desk,
  { id }: Asker,
  asked: Omit<Asked, "band" | "group"> = {},
): Promise<AwardsDocument> => {
  const [awards, locations] = await desk.awards.standing(id, asked);
  return { awards, locations, ...(await silentIn(desk, id, asked)) };
};

/** One award with its slots. */
export const award = async (
  desk: Desk,
  { id }: Asker,
  name: string,
  asked: Asked = {},
): Promise<AwardDetail & WithoutContacts> => ({
  ...(await desk.awards.detail(id, name, asked)),
  ...(await silentIn(desk, id, asked)),
});

/** What was worked and confirmed on each band. */
export const matrix = async (
  desk: Desk,
  { id }: Asker,
  name: string,
  asked: Omit<Asked, "band"> = {},
): Promise<AwardMatrix & WithoutContacts> => ({
  ...(await desk.awards.matrix(id, name, asked)),
  ...(await silentIn(desk, id, asked)),
});

/** What was never worked, and what is not confirmed. */
export const needed = async (
  desk: Desk,
  { id }: Asker,
  name: string,
  asked: Asked = {},
): Promise<NeededDocument & WithoutContacts> => ({
  ...neededView(await desk.awards.needed(id, name, asked)),
  ...(await silentIn(desk, id, asked)),
});

export interface AwardSheet {
  award: AwardDetail & WithoutContacts;
  needed: NeededDocument;
  /** Only of what has few enough names for a row each, where no band is asked for. */
  matrix: AwardMatrix | null;
}

/** All about one award, as its page shows it. */
export const awardSheet = async (desk: Desk, { id }: Asker, name: string, asked: Asked): Promise<AwardSheet> => {
  const { detail, needed, matrix } = await desk.awards.pages(id, name, asked);
  return { award: { ...detail, ...(await silentIn(desk, id, asked)) }, needed: neededView(needed), matrix };
};

const silentIn = (desk: Desk, userId: number, { station }: Asked): Promise<WithoutContacts> =>
  withoutContacts(desk, userId, parseStations(station));

/** What jobs newly brought; without a day, those of the last month. */
export const newsSince = (
  { db, clock }: Pick<World, "db" | "clock">,
  { id }: Asker,
  since: string | undefined,
): Promise<News> => {
  const from = since === undefined ? clock() - NEWS_OF : parseDay(since, "since");
  return db.read(() => news(id, from));
};
