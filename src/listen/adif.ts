import { AdifReader } from "../adif/reader.ts";
import type { Fields } from "../domain/contact/adif-record.ts";
import { clientOf, type Heard } from "./parsed-contact.ts";

const OTHERWISE = "ADIF";
const MAX_RECORD_BYTES = 64 * 1024;

/** Parses an ADIF stream in chunks of any size. Each record is reported when it ends. */
export class AdifEar {
  readonly #reader: AdifReader;
  #heard: Heard[] = [];
  #client = OTHERWISE;

  constructor() {
    this.#reader = new AdifReader(
      {
        onHeader: ({ fields }) => (this.#client = clientOf(fields.PROGRAMID, OTHERWISE)),
        onRecord: ({ fields }) =>
          void this.#heard.push({ client: this.#client, told: { kind: "contact", fields: withPlainPower(fields) } }),
      },
      { maxRecordBytes: MAX_RECORD_BYTES },
    );
  }

  write(bytes: Uint8Array): Heard[] {
    this.#reader.write(bytes);
    return this.#taken();
  }

  /** The last record can lack <EOR>. */
  end(): Heard[] {
    this.#reader.end();
    return this.#taken();
  }

  #taken(): Heard[] {
    const heard = this.#heard;
    this.#heard = [];
    return heard;
  }
}

/** Parses a packet that contains one record, or a complete log with its header. */
export const hearAdif = (bytes: Uint8Array): Heard[] => {
  const ear = new AdifEar();
  return [...ear.write(bytes), ...ear.end()];
};

/** Some programs write the power as `100W`. */
export const withPlainPower = (fields: Fields): Fields => {
  const watts = /^\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*W(?:ATTS?)?\s*$/i.exec(fields.TX_PWR ?? "")?.[1];
  return watts === undefined ? fields : { ...fields, TX_PWR: watts.replace(",", ".") };
};
