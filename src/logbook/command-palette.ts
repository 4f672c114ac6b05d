import { AWARDS } from "../awards/catalogue.ts";
import type { AwardBand, AwardGroup, AwardId } from "../domain/awards/award.ts";
import { parseFilter } from "../domain/contact/qso-filter.ts";
import { parseBand } from "../domain/radio/band.ts";
import { MODE_GROUPS } from "../domain/radio/mode.ts";
import { filterEntries } from "../domain/statistics/palette.ts";
import type { QsoView } from "../domain/contact/qso-view.ts";
import { AppError } from "../kernel/errors.ts";
import { listWorked } from "../storage/log/call-history.ts";
import type { LogCaller } from "./caller.ts";
import { listContacts } from "./contacts.ts";
import type { JobListDocument } from "./contract.ts";
import { listJobs } from "./jobs.ts";

type Deps = Parameters<typeof listContacts>[0] & Parameters<typeof listJobs>[0];

/** What typed words can lead to. */
export interface Destination {
  awards: AwardDestination[];
  jobId: number | null;
  /** The callsigns of these contacts, each with all its contacts. */
  calls: { call: string; contacts: number; lastAt: number }[];
  /** The newest contacts whose callsign begins with the text. */
  contacts: QsoView[];
  /** The newest jobs that can be rolled back or undone. */
  reversible: JobListDocument["jobs"];
  /** Whether the text is a valid search. */
  isSearch: boolean;
}

/** An award, or what it needs on a band or in a mode group. */
export interface AwardDestination {
  id: AwardId;
  label: string;
  isNeeded: boolean;
  /** Whether what is needed can be listed: there is a list of entities, but not of prefixes. */
  isListed: boolean;
  band: AwardBand | null;
  group: AwardGroup | null;
}

const MAX_CONTACTS = "5";
const MAX_REVERSIBLE = 3;
const CALL_BEGUN = /^(?=.*\d)[a-z0-9/]{3,20}$/i;

export const findDestination = async (deps: Deps, caller: LogCaller, words: string): Promise<Destination> => {
  const text = words.trim();
  const job = /^(?:job )?#?(\d{1,9})$/i.exec(text);
  const contacts = CALL_BEGUN.test(text) ? await findByPrefix(deps, caller, text) : [];
  const { jobs } = await listJobs(deps, caller, {});
  return {
    awards: findAwards(text),
    jobId: job ? Number(job[1]) : null,
    calls: await countByCall(deps, caller, [...new Set(contacts.map(({ call }) => call))]),
    contacts,
    reversible: jobs.filter(({ actions }) => actions.rollback || actions.undo).slice(0, MAX_REVERSIBLE),
    isSearch: text !== "" && isSearch(text),
  };
};

/** Awards by name, and with a band, a mode group or a word such as "needed" what they need there. */
const findAwards = (text: string): AwardDestination[] => {
  const all = text.toLowerCase().split(/\s+/).filter(Boolean);
  const band = all.map((word) => parseBand(word)).find((one) => one !== null) ?? null;
  const group = MODE_GROUPS.find((one) => all.includes(one)) ?? null;
  const isNeed = (word: string) => /^(need|needs|needed|missing)$/.test(word);
  const isFiller = (word: string) => isNeed(word) || word === "on" || word === "in";
  const names = all.filter((word) => !isFiller(word) && parseBand(word) === null && word !== group);
  const isNeeded = all.some(isNeed) || (names.length > 0 && (band !== null || group !== null));
  if (names.length === 0 && !isNeeded) return [];
  const known = AWARDS.filter(({ split, goal }) => {
    if (band === null && group === null) return true;
    return split === undefined && goal({ band, group } as Parameters<typeof goal>[0]) !== null;
  });
  const entries = known.map(({ id, label, universe }) => ({
    id,
    label,
    also: `${id} award`,
    isListed: universe !== undefined,
  }));
  return filterEntries(entries, names.join(" ")).map(({ id, label, isListed }) => ({
    id,
    label,
    isNeeded,
    isListed,
    band,
    group: group as AwardGroup | null,
  }));
};

const findByPrefix = async (deps: Deps, caller: LogCaller, call: string): Promise<QsoView[]> =>
  (await listContacts(deps, caller, { call: `${call}*`, limit: MAX_CONTACTS })).qsos;

const countByCall = async ({ db }: Deps, { owner }: LogCaller, calls: readonly string[]) => {
  const worked = await db.read(() => listWorked(owner.id, calls));
  return calls.map((call) => {
    const ofCall = worked.filter((one) => one.call === call);
    return {
      call,
      contacts: ofCall.reduce((sum, { contacts }) => sum + contacts, 0),
      lastAt: Math.max(...ofCall.map(({ lastAt }) => lastAt)),
    };
  });
};

const isSearch = (search: string): boolean => {
  try {
    parseFilter({ search });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};
