import type { Fields } from "../domain/contact/adif-record.ts";

const MAX_ORDERED_NAMES = 255;
const orderedNames = new Set<string>();

/**
 * The fields of a record in the order in which a record first had them. A service that shuffles the fields would
 * otherwise give every object another hidden class, which makes all work on them slow.
 */
export const inOneOrder = (given: ReadonlyMap<string, string>): Fields => {
  for (const name of given.keys()) if (orderedNames.size < MAX_ORDERED_NAMES) orderedNames.add(name);
  const fields: Fields = {};
  for (const name of orderedNames) {
    const value = given.get(name);
    if (value !== undefined) fields[name] = value;
  }
  for (const [name, value] of given) fields[name] = value;
  return fields;
};

export const asGiven = (given: ReadonlyMap<string, string>): Fields => {
  const fields: Fields = {};
  for (const [name, value] of given) fields[name] = value;
  return fields;
};
