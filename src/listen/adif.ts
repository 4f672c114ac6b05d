import { AdifReader } from "../adif/reader.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { normaliseClient, type ParsedContact } from "./parsed-contact.ts";

const OTHERWISE = "ADIF";
const MAX_RECORD_LENGTH = 64 * 1024;

/** Parses an ADIF stream in chunks of any size. Each record is reported when it ends. */
export class AdifStream {
  readonly #reader: AdifReader;
  #heard: ParsedContact[] = [];
  #client = OTHERWISE;

  constructor() {
    this.#reader = new AdifReader(
      {
        onHeader: ({ fields }) => (this.#client = normaliseClient(fields.PROGRAMID, OTHERWISE)),
        onRecord: ({ fields }) =>
          void this.#heard.push({ client: this.#client, told: { kind: "contact", fields: normalisePower(fields) } }),
      },
      { maxRecordLength: MAX_RECORD_LENGTH },
    );
  }

  write(bytes: Uint8Array): ParsedContact[] {
    this.#reader.write(bytes);
    return this.#taken();
  }

  /** The last record can lack <EOR>. */
  end(): ParsedContact[] {
    this.#reader.end();
    return this.#taken();
  }

  #taken(): ParsedContact[] {
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }
}

/** Parses a packet that contains one record, or a complete log with its header. */
export const parseAdif = (bytes: Uint8Array): ParsedContact[] => {
  const ear = new AdifStream();
  return [...ear.write(bytes), ...ear.end()];
};

/** Some programs write the power as `100W`. */
export const normalisePower = (fields: Fields): Fields => {
  const watts = /^\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*W(?:ATTS?)?\s*$/i.exec(fields.TX_PWR ?? "")?.[1];
  return watts === undefined ? fields : { ...fields, TX_PWR: watts.replace(",", ".") };
};
