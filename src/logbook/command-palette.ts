import { AWARDS } from "../awards/catalogue.ts";
import type { AwardBand, AwardGroup, AwardId } from "../domain/awards/award.ts";
import { parseFilter, type QsoParameters } from "../domain/contact/qso-filter.ts";
import { parseBand } from "../domain/radio/band.ts";
import { MODE_GROUPS } from "../domain/radio/mode.ts";
import { SERVICES, type Service } from "../domain/jobs/source.ts";
import type { JobView } from "../domain/jobs/sync-job.ts";
import { LABELS } from "../domain/origins/labels.ts";
import { COMMANDS, type CommandName } from "../domain/statistics/commands.ts";
import { filterEntries, type PaletteEntry } from "../domain/statistics/palette.ts";
import type { QsoView } from "../domain/contact/qso-view.ts";
import { AppError } from "../kernel/errors.ts";
import { formatIsoDate } from "../kernel/instant.ts";
import { formatCount } from "../kernel/number-text.ts";
import { formatUtc } from "../kernel/time-text.ts";

/** Where the palette looks: the storage on a server, a client in the terminal. */
export interface PaletteSource {
  contacts(parameters: QsoParameters): Promise<{ qsos: readonly QsoView[] }>;
  /** How often and when last each callsign was worked. */
  countCalls(calls: readonly string[]): Promise<CallCount[]>;
}

interface CallCount {
  call: string;
  contacts: number;
  lastAt: number;
}

/** An award, or what it needs on a band or in a mode group. */
interface AwardDestination {
  id: AwardId;
  isNeeded: boolean;
  /** Whether what is needed can be listed: there is a list of entities, but not of prefixes. */
  isListed: boolean;
  band: AwardBand | null;
  group: AwardGroup | null;
}

/** Where an entry of the palette leads. */
export type Destination =
  | { kind: "command"; name: CommandName }
  | { kind: "sync"; service: Service }
  | { kind: "calls" | "add"; call: string }
  | { kind: "contact"; id: number }
  | { kind: "job"; id: number }
  | { kind: "reverse"; job: JobView }
  | { kind: "search"; search: string }
  | ({ kind: "award" } & AwardDestination);

export interface FoundEntry extends PaletteEntry {
  to: Destination;
  /** What distinguishes it from others with the same name. */
  says?: string;
}

const MAX_CONTACTS = "5";
const MAX_REVERSIBLE = 3;
const CALL_BEGUN = /^(?=.*\d)[a-z0-9/]{3,20}$/i;

/** Callsigns that begin with the words, and their newest contacts. */
export const findCalls = async (source: PaletteSource, words: string): Promise<FoundEntry[]> => {
  const text = words.trim();
  if (!CALL_BEGUN.test(text)) return [];
  const { qsos } = await source.contacts({ call: `${text}*`, limit: MAX_CONTACTS });
  const calls = await source.countCalls([...new Set(qsos.map(({ call }) => call))]);
  return [
    ...calls.map(toCallEntry),
    ...qsos.map(toContactEntry),
    ...calls
      .slice(0, 1)
      .map(({ call }): FoundEntry => ({ label: `Log a contact with ${call}`, to: { kind: "add", call } })),
  ];
};

/** What the words name: a job, awards and commands, the most specific first, then the search of the log. */
export const findNamed = (commands: readonly CommandName[], jobs: readonly JobView[], words: string): FoundEntry[] => {
  const text = words.trim();
  const jobId = /^(?:job )?#?(\d{1,9})$/i.exec(text)?.[1];
  const reversible = jobs.filter(({ actions }) => actions.rollback || actions.undo).slice(0, MAX_REVERSIBLE);
  const awards = findAwards(text);
  return [
    ...(jobId ? [{ label: `Job ${jobId}`, to: { kind: "job", id: Number(jobId) } } as const] : []),
    ...awards.filter(({ to }) => to.isNeeded),
    ...filterEntries([...commands.map(toCommandEntry), ...SYNCS, ...reversible.map(toReversal)], words),
    ...awards.filter(({ to }) => !to.isNeeded),
    ...(text !== "" && isSearch(text)
      ? [{ label: `Search the log for ${text}`, to: { kind: "search", search: text } } as const]
      : []),
  ];
};

const toCommandEntry = (name: CommandName): FoundEntry => ({ ...COMMANDS[name], to: { kind: "command", name } });

const SYNCS = SERVICES.map((service): FoundEntry => ({
  label: `Sync ${LABELS[service]} now`,
  also: "download",
  to: { kind: "sync", service },
}));

const toCallEntry = ({ call, contacts, lastAt }: CallCount): FoundEntry => ({
  label: call,
  says: `${formatCount(contacts, "contact")}, last ${formatIsoDate(lastAt)}`,
  to: { kind: "calls", call },
});

const toContactEntry = ({ id, call, startedAt, band, mode, submode }: QsoView): FoundEntry => ({
  label: call,
  says: [`${formatUtc(startedAt)} UTC`, band, submode ?? mode].filter(Boolean).join(", "),
  to: { kind: "contact", id },
});

const toReversal = (job: JobView): FoundEntry => ({
  label: `${job.actions.rollback ? "Roll back" : "Undo"} ${LABELS[job.source]} ${job.id}`,
  says: `${formatUtc(job.createdAt)} UTC`,
  also: "undo roll back revert import sync",
  to: { kind: "reverse", job },
});

/** Awards by name, and with a band, a mode group or a word such as "needed" what they need there. */
const findAwards = (text: string): (FoundEntry & { to: { kind: "award" } })[] => {
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
  const where = [band && `on ${band}`, group && `in ${group}`].filter(Boolean);
  return filterEntries(entries, names.join(" ")).map(({ id, label, isListed }) => ({
    label: [label, ...(isNeeded ? ["needed"] : []), ...where].join(" "),
    says: "award",
    to: { kind: "award", id, isNeeded, isListed, band, group: group as AwardGroup | null },
  }));
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
