import type { Awards } from "../awards/book.ts";
import { proofsOf } from "../awards/cards.ts";
import { news, NEWS_OF, type News } from "../awards/news.ts";
import { toNeededView, type Asked, type AwardDetail, type AwardMatrix } from "../domain/awards/award.ts";
import { toWaitingContact, type WaitingContact } from "../domain/awards/waiting.ts";
import { parseDay } from "../kernel/day.ts";
import { parseStations } from "../domain/contact/qso-filter.ts";
import type { Qso } from "../domain/contact/qso.ts";
import * as qsos from "../storage/log/qsos.ts";
import type { World } from "../world.ts";
import type { LogCaller } from "./caller.ts";
import type {
  AwardParameters,
  AwardsDocument,
  CardsDocument,
  NeededDocument,
  OfPast,
  WithoutContacts,
} from "./contract.ts";
import { readAsOf, type PastLogs } from "./as-of.ts";
import { findWithoutContacts } from "./statistics.ts";

type Deps = Pick<World, "db" | "clock"> & { awards: Awards; pasts: PastLogs };

/** The progress of every award. */
export const awards = (
  deps: Deps,
  caller: LogCaller,
  { asOf, ...asked }: Omit<AwardParameters, "band" | "group"> = {},
): Promise<AwardsDocument> =>
  readAsOf(deps, caller, asOf, async (then) => {
    const [awards, locations] = await then.awards.standing(caller.owner.id, asked, caller);
    return { awards, locations, ...(await findSilent(then, caller.owner.id, asked)) };
  });

/** One award with its slots. */
export const award = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<AwardDetail & WithoutContacts & OfPast> =>
  readAsOf(deps, caller, asOf, async (then) => ({
    ...(await then.awards.detail(caller.owner.id, name, asked, caller)),
    ...(await findSilent(then, caller.owner.id, asked)),
  }));

/** What was worked and confirmed on each band. */
export const matrix = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, ...asked }: Omit<AwardParameters, "band"> = {},
): Promise<AwardMatrix & WithoutContacts & OfPast> =>
  readAsOf(deps, caller, asOf, async (then) => ({
    ...(await then.awards.matrix(caller.owner.id, name, asked, caller)),
    ...(await findSilent(then, caller.owner.id, asked)),
  }));

/** The slots that were never worked, and those that are not confirmed. */
export const needed = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<NeededDocument & WithoutContacts & OfPast> =>
  readAsOf(deps, caller, asOf, async (then) => ({
    ...toNeededView(await then.awards.needed(caller.owner.id, name, asked, caller)),
    ...(await findSilent(then, caller.owner.id, asked)),
  }));

interface AwardSheet extends OfPast {
  award: AwardDetail & WithoutContacts;
  needed: NeededDocument;
  /** Of every band; only for awards with few enough names. */
  matrix: AwardMatrix | null;
  /** The contacts that wait for a confirmation, by id, if they were asked for. */
  contacts: ReadonlyMap<number, WaitingContact>;
}

/** Everything that an award's page shows. */
export const awardSheet = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, withContacts = false, ...asked }: AwardParameters & { withContacts?: boolean },
): Promise<AwardSheet> =>
  readAsOf(deps, caller, asOf, async (then) => {
    const { detail, needed, matrix } = await then.awards.pages(caller.owner.id, name, asked, caller);
    const award = { ...detail, ...(await findSilent(then, caller.owner.id, asked)) };
    const ids = withContacts ? needed.notConfirmed.slice(0, MAX_WAITING).map(({ qsoId }) => qsoId) : [];
    const own = await loadOwn(then, caller.owner.id, ids);
    const contacts = new Map(own.map((qso) => [qso.id, toWaitingContact(qso)]));
    return { award, needed: toNeededView(needed), matrix, contacts };
  });

/** More do not wait for an entity, a state or a zone. Of squares and prefixes, the others are shown without their contact. */
const MAX_WAITING = 1_000;

const findSilent = (deps: Deps, userId: number, { station }: Asked): Promise<WithoutContacts> =>
  findWithoutContacts(deps, userId, parseStations(station));

/** What jobs newly brought; by default those of the last month. */
export const newsSince = (
  { db, clock }: Pick<World, "db" | "clock">,
  { owner: { id } }: LogCaller,
  since: string | undefined,
): Promise<News> => {
  const from = since === undefined ? clock() - NEWS_OF : parseDay(since, "since");
  return db.read(() => news(id, from));
};

/** The contacts to submit for an award, each with the confirmation that the sponsor accepts. */
export const cards = (
  deps: Deps,
  caller: LogCaller,
  name: string,
  { asOf, ...asked }: AwardParameters = {},
): Promise<CardsDocument> =>
  readAsOf(deps, caller, asOf, async (then) => {
    const userId = caller.owner.id;
    const detail = await then.awards.detail(userId, name, { ...asked, by: "sponsor" });
    const ids = detail.slots.flatMap(({ confirmed, credited, qsoId }) => (confirmed && !credited ? [qsoId] : []));
    const cards = proofsOf(detail, await loadOwn(then, userId, ids));
    return { id: detail.id, label: detail.label, cards };
  });

const loadOwn = async ({ db }: Deps, userId: number, ids: readonly number[]): Promise<Qso[]> =>
  (await db.read(() => qsos.listByIds(ids))).filter((qso) => qso.userId === userId);
