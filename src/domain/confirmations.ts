import type { Fields } from "./adif-record.ts";
import { parseDate, parseTimestamp } from "./instant.ts";
import { ADIF_YES, isConfirming, SECOND_YES, type Layers, type OwnLayer } from "./layers.ts";
import { told } from "./words.ts";

export interface Confirmed {
  confirmed: boolean;
  confirmedAt: number | null;
  /** Whether the service itself says so, or only a file or the owner does. */
  via: "file" | "service" | null;
}

/** Who confirmed a contact: each of the services, and the partner's card. */
export const confirmationsOf = (qso: Layers): Record<"first" | "second" | "card", Confirmed> => {
  const first = firstWitness(qso);
  return {
    first: first ? { confirmed: true, confirmedAt: confirmedAt(first), via: first.via } : UNCONFIRMED,
    second: secondConfirmation(qso),
    card: cardConfirmation(qso),
  };
};

const UNCONFIRMED: Confirmed = Object.freeze({ confirmed: false, confirmedAt: null, via: null });

interface Witness {
  /** Everything it says of the contact. */
  fields: Fields;
  status: "QSL_RCVD" | "LOTW_QSL_RCVD";
  via: "file" | "service";
}

/** Who says that the first service confirmed: the service, its report in a file, else any file or the owner. */
export const firstWitness = ({ own, first }: Layers): Witness | null =>
  witness(first?.qsl?.fields, "QSL_RCVD", "service") ??
  witness(first?.qso?.fields, "QSL_RCVD", "service") ??
  witness(own?.report?.fields, "QSL_RCVD", "file") ??
  witness(ownersWord(own, "LOTW_QSL_RCVD"), "LOTW_QSL_RCVD", "file");

const witness = (fields: Fields | undefined, status: Witness["status"], via: Witness["via"]): Witness | null =>
  fields && isConfirming(fields[status], ADIF_YES) ? { fields, status, via } : null;

const confirmedAt = ({ fields, status }: Witness): number | null =>
  status === "QSL_RCVD"
    ? (parseTimestamp(fields.APP_LOTW_RXQSL) ?? parseDate(fields.QSLRDATE))
    : parseDate(fields.LOTW_QSLRDATE);

/** A status that a person typed replaces the one of a file. */
const ownersWord = (own: OwnLayer | null, status: string): Fields | undefined =>
  own?.typed?.[status] === undefined ? own?.file?.fields : own.typed;

/** Once the service has given a status, a file's counts no more. */
const secondConfirmation = ({ own, second }: Layers): Confirmed => {
  const isSaid = told(second?.fields.APP_QRZLOG_STATUS) !== null;
  const fields = isSaid ? second?.fields : ownersWord(own, "APP_QRZLOG_STATUS");
  if (!fields || !isConfirming(fields.APP_QRZLOG_STATUS, SECOND_YES)) return UNCONFIRMED;
  return { confirmed: true, confirmedAt: parseDate(fields.APP_QRZLOG_QSLDATE), via: isSaid ? "service" : "file" };
};

/** Paper, as the owner says it. The services use the same field for themselves. */
const cardConfirmation = ({ own }: Layers): Confirmed => {
  const fields = ownersWord(own, "QSL_RCVD");
  if (!fields || !isConfirming(fields.QSL_RCVD, ADIF_YES)) return UNCONFIRMED;
  return { confirmed: true, confirmedAt: parseDate(fields.QSLRDATE), via: "file" };
};
