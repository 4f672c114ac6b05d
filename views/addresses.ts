/** The path of a contact or a part of its page, now or as of the end of a day. */
export const contactAt = (id: number, asOf = "", part = ""): string =>
  `log/${id}${part}${asOf === "" ? "" : `?asOf=${encodeURIComponent(asOf)}`}`;
