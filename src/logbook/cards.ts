import type { Awards } from "../awards/book.ts";
import type { Asked } from "../domain/awards/award.ts";
import { proofsOf } from "../awards/cards.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type { AwardParameters, CardsDocument } from "./contract.ts";
import { readAsOf, type PastLogs } from "./as-of.ts";

type Deps = Pick<World, "db" | "clock"> & { awards: Awards; pasts: PastLogs };

/** The contacts to submit for an award, each with the confirmation that the sponsor accepts. */
export const cards = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<CardsDocument> => readAsOf(deps, caller, asOf, (then) => loadProofs(then, caller.owner.id, name, asked));

const loadProofs = async (
  { db, awards }: Pick<Deps, "db" | "awards">,
  userId: number,
  name: string,
  asked: Asked,
): Promise<CardsDocument> => {
  const detail = await awards.detail(userId, name, { ...asked, by: "sponsor" });
  const ids = detail.slots.flatMap(({ confirmed, credited, qsoId }) => (confirmed && !credited ? [qsoId] : []));
  const found = await db.read(() => qsos.listByIds(ids));
  const own = found.filter((qso) => qso.userId === userId);
  return { id: detail.id, label: detail.label, cards: proofsOf(detail, own) };
};
