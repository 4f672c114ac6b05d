import type { LotwQso, QrzBook, Store } from "../../src/simulated/store.ts";
import { toLotwMode } from "../../src/simulated/lotw-modes.ts";
import { readCompactDate, readStamp } from "../../src/simulated/timestamps.ts";

type ParsedRecord = Pick<LotwQso, "fields" | "comments">;

/** Takes the records of a report as they are, so that the same query gives them back value for value. */
export const loadLotwReport = (store: Store, login: string, records: Iterable<ParsedRecord>): void => {
  const qsos = store.qsosOf(login);
  for (const { fields, comments } of records) {
    const lotwMode = fields.APP_LOTW_MODE ?? toLotwMode(fields.MODE ?? "", fields.SUBMODE);
    const at = readStamp(fields.APP_LOTW_QSO_TIMESTAMP);
    const rxqsl = fields.APP_LOTW_RXQSL === undefined ? null : readStamp(fields.APP_LOTW_RXQSL);
    qsos.push({ fields: { ...fields }, comments, lotwMode, at, rxqso: readStamp(fields.APP_LOTW_RXQSO), rxqsl });
  }
};

/** Takes the records of a book's export as they are; each was modified on the latest date that the book itself wrote into it. */
export const loadQrzExport = (book: QrzBook, records: Iterable<ParsedRecord>): void => {
  for (const { fields } of records) {
    const dates = [fields.QSO_DATE, fields.QRZCOM_QSO_UPLOAD_DATE, fields.APP_QRZLOG_QSLDATE];
    const modified = Math.max(...dates.filter((date) => date !== undefined).map(readCompactDate));
    book.records.push({ logid: Number(fields.APP_QRZLOG_LOGID), modified, fields: { ...fields } });
  }
  book.records.sort((a, b) => a.logid - b.logid);
};
