import type { Fields } from "./adif-record.ts";

/** In one record, including repeated ones. No program writes a tenth of it. */
export const MAX_FIELDS = 2_000;
/** The longest value of a field, in characters. */
export const MAX_VALUE_LENGTH = 65_536;
/** The names and values of a record together, in characters. */
export const MAX_RECORD_LENGTH = 1_048_576;
/** All records of a contact together, in characters. */
export const MAX_CONTACT_LENGTH = 2_097_152;
/** In the field with which an export carries the records of a contact, as JSON. It does not count for its record. */
export const MAX_CARRIED_LENGTH = 4_194_304;

export const countCharacters = (fields: Fields): number => {
  let count = 0;
  for (const name in fields) count += name.length + fields[name]!.length;
  return count;
};

/** The name of a field whose value is too long; null if there is none. */
export const findLongField = (fields: Fields): string | null => {
  for (const name in fields) if (fields[name]!.length > MAX_VALUE_LENGTH) return name;
  return null;
};

/** The fields that fit into one record. The longest ones are left out first. */
export const fitFields = (fields: Fields): Fields => {
  const entries = Object.entries(fields);
  if (entries.length < MAX_FIELDS && countCharacters(fields) <= MAX_RECORD_LENGTH && !findLongField(fields))
    return fields;
  const fitting = new Set<string>();
  let left = MAX_RECORD_LENGTH;
  for (const [name, value] of entries.toSorted(([, a], [, b]) => a.length - b.length)) {
    left -= name.length + value.length;
    // One field is left for the records that an export carries.
    if (left < 0 || value.length > MAX_VALUE_LENGTH || fitting.size === MAX_FIELDS - 1) break;
    fitting.add(name);
  }
  return Object.fromEntries(entries.filter(([name]) => fitting.has(name)));
};
