import { AWARDS } from "../awards/catalogue.ts";
import { parseFilter } from "../domain/contact/qso-filter.ts";
import { filterEntries } from "../domain/statistics/palette.ts";
import type { QsoView } from "../domain/contact/qso-view.ts";
import { AppError } from "../kernel/errors.ts";
import type { LogCaller } from "./caller.ts";
import { listContacts } from "./contacts.ts";

type Deps = Parameters<typeof listContacts>[0];

/** What typed words can lead to. */
export interface Destination {
  awards: { id: string; label: string }[];
  jobId: number | null;
  /** The newest contacts whose callsign begins with the text. */
  contacts: QsoView[];
  /** Whether the text is a valid search. */
  isSearch: boolean;
}

const MAX_CONTACTS = "5";
const CALL_BEGUN = /^(?=.*\d)[a-z0-9/]{3,20}$/i;

export const findDestination = async (deps: Deps, caller: LogCaller, words: string): Promise<Destination> => {
  const text = words.trim();
  const job = /^(?:job )?#?(\d{1,9})$/i.exec(text);
  return {
    awards:
      text === ""
        ? []
        : filterEntries(
            AWARDS.map(({ id, label }) => ({ id, label, also: `${id} award` })),
            text,
          ),
    jobId: job ? Number(job[1]) : null,
    contacts: CALL_BEGUN.test(text) ? await findByPrefix(deps, caller, text) : [],
    isSearch: text !== "" && isSearch(text),
  };
};

const findByPrefix = async (deps: Deps, caller: LogCaller, call: string): Promise<QsoView[]> =>
  (await listContacts(deps, caller, { call: `${call}*`, limit: MAX_CONTACTS })).qsos;

const isSearch = (search: string): boolean => {
  try {
    parseFilter({ search });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
};
