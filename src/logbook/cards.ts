import type { Asked, AwardBook } from "../awards/book.ts";
import { proofsOf } from "../awards/cards.ts";
import * as qsos from "../storage/qsos.ts";
import type { World } from "../world.ts";
import type { Asker } from "./asker.ts";
import type { CardsDocument } from "./contract.ts";

type Desk = Pick<World, "db"> & { awards: AwardBook };

/** The contacts to hand in for an award, each with the confirmation that its sponsor takes. */
export const cards = async (
  desk: Desk,
  { id: userId }: Asker,
  name: string,
  asked: Asked = {},
): Promise<CardsDocument> => {
  const detail = await desk.awards.detail(userId, name, { ...asked, by: "sponsor" });
  const ids = detail.slots.flatMap(({ confirmed, credited, qsoId }) => (confirmed && !credited ? [qsoId] : []));
  const found = await desk.db.read(() => qsos.listByIds(ids));
  return {
    id: detail.id,
    label: detail.label,
    cards: proofsOf(
      detail,
      found.filter((qso) => qso.userId === userId),
    ),
  };
};
