/** Values as received, by field name in upper case. Empty values are left out. */
export type Fields = Record<string, string>;

export interface AdifRecord {
  fields: Fields;
  /** Data type letters by field name, for fields that declared one. */
  types?: Record<string, string>;
}

/** A user-defined field that the header declares for the following records. */
export interface UserDef {
  name: string;
  type?: string;
  /** The allowed values or the range, including braces: `{QRP,QRO}`, `{-50:150}`. */
  values?: string;
}

export const pickFields = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]!]));

export const omitFields = (fields: Fields, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.has(name)));

export const addTypes = <T extends AdifRecord>(record: T, types: Record<string, string> | undefined): T =>
  types && Object.keys(types).length > 0 ? { ...record, types } : record;
