/** @jsxImportSource @kitajs/html */
import { describeSilent } from "../../src/domain/contact/qso-filter.ts";

/** Lists requested own callsigns that are not in the log. */
export const Silent = ({ stations }: { stations: readonly string[] | undefined }) =>
  stations === undefined ? (
    ""
  ) : (
    <p class="empty" role="status" safe>
      {describeSilent(stations)}
    </p>
  );
