/** @jsxImportSource @kitajs/html */

/** The path of a contact or a part of its page, now or as of the end of a day. */
export const contactAt = (id: number, asOf = "", part = ""): string =>
  `log/${id}${part}${asOf === "" ? "" : `?asOf=${encodeURIComponent(asOf)}`}`;

interface Props {
  id: number;
  call: string;
  asOf?: string;
  /** It is the link of a row, through which keys move. */
  isRow?: boolean;
}

/** A callsign that leads to its contact. */
export const CallLink = ({ id, call, asOf, isRow = false }: Props) => (
  <a class="call" data-row={isRow ? "" : undefined} href={contactAt(id, asOf)} safe>
    {call}
  </a>
);
