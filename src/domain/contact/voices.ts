import type { AdifRecord, Fields } from "./adif-record.ts";
import type { Layers } from "./layers.ts";
import { SERVICE_ORIGINS } from "../origins/services.ts";
import { SERVICES } from "../jobs/source.ts";
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

export const getVoices = (layers: Layers): Voices => {
  const { own } = layers;
  const owner: Fields[] = [];
  const services: Fields[] = [];
  if (own?.typed) owner.push(own.typed);
  const beside = createDeniedFilter(own?.typed);
  if (own?.file) owner.push(beside(own.file.fields));
  const heard = ({ fields }: AdifRecord) => void services.push(beside(fields));
  for (const service of SERVICES) SERVICE_ORIGINS[service].forEachRecord(layers, heard);
  return { typed: own?.typed, own: owner, services, all: owner.length === 0 ? services : [...owner, ...services] };
};

/** Removes from other origins the fields that the user left empty on purpose. */
export const createDeniedFilter = (typed: Fields | undefined): ((fields: Fields) => Fields) => {
  const denied = typed === undefined ? [] : Object.keys(typed).filter((name) => typed[name] === "");
  if (denied.length === 0) return (fields) => fields;
  return (fields) => Object.fromEntries(Object.entries(fields).filter(([name]) => !denied.includes(name)));
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
