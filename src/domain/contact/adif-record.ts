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
