/** Field name in upper case → value as received. Empty values are left out. */
export type Fields = Record<string, string>;

export interface AdifRecord {
  fields: Fields;
  /** Data type letters by field name, where the record gave one. */
  types?: Record<string, string>;
}

/** A field that the header of a log defines for the records that follow. */
export interface UserDef {
  name: string;
  type?: string;
  /** The allowed values or the range, braces included: `{QRP,QRO}`, `{-50:150}`. */
  values?: string;
}
