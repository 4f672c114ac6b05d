import { omitFields, type AdifRecord, type Fields } from "./adif-record.ts";
import type { Layers } from "./layers.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import { SERVICES, type Service } from "../jobs/source.ts";
import { textOrNull } from "../../kernel/text.ts";

/** What the origins say, in order of priority. */
export interface Voices {
  typed: Fields | undefined;
  /** The owner's values: typed, then from files. */
  own: readonly Fields[];
  /** The services' values; the more exact service comes first. */
  services: readonly Fields[];
  all: readonly Fields[];
}

/** Where a record comes from: the user, a file or a program, or a service. */
export type VoiceOrigin = "typed" | "file" | Service;

/** Passes the records of a contact to `heard`, highest priority first. */
export const forEachVoice = (layers: Layers, heard: (record: AdifRecord, origin: VoiceOrigin) => void): void => {
  const { typed, file } = layers.own ?? {};
  if (typed) heard({ fields: typed }, "typed");
  if (file) heard(file, "file");
  for (const service of SERVICES) SERVICE_ORIGINS[service].forEachRecord(layers, (record) => heard(record, service));
};

export const getVoices = (layers: Layers): Voices => {
  const typed = layers.own?.typed;
  const [own, services]: [Fields[], Fields[]] = [[], []];
  const removeDenied = createDeniedFilter(typed);
  forEachVoice(layers, ({ fields }, origin) => {
    if (origin === "typed") own.push(fields);
    else (origin === "file" ? own : services).push(removeDenied(fields));
  });
  return { typed, own, services, all: own.length === 0 ? services : [...own, ...services] };
};

/** Removes from other origins the fields that the user left empty on purpose. */
export const createDeniedFilter = (typed: Fields | undefined): ((fields: Fields) => Fields) => {
  const denied = typed === undefined ? [] : Object.keys(typed).filter((name) => typed[name] === "");
  if (denied.length === 0) return (fields) => fields;
  const names = new Set(denied);
  return (fields) => omitFields(fields, names);
};

/** The first readable value of a field. */
export const readFirst = <T = string>(
  voices: readonly Fields[],
  name: string,
  read: (text: string | undefined) => T | null = textOrNull as (text: string | undefined) => T | null,
): T | null => {
  for (const fields of voices) {
    const answer = read(fields[name]);
    if (answer !== null) return answer;
  }
  return null;
};

/** The first answer to a question that needs several fields of the same origin. */
export const ask = <T>(voices: readonly Fields[], question: (fields: Fields) => T | null): T | null => {
  for (const fields of voices) {
    const answer = question(fields);
    if (answer !== null) return answer;
  }
  return null;
};
