/** The page of a contact, or a part of it, as it is or as it was at the end of a day. */
export const contactAt = (id: number, asOf = "", part = ""): string =>
  `log/${id}${part}${asOf === "" ? "" : `?asOf=${encodeURIComponent(asOf)}`}`;
