/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@kitajs/html";
import { silentInWords } from "../../src/domain/radio/stations.ts";

/** Says which of the own callsigns that were asked for are not in the log. */
export const Silent = ({ stations }: { stations: readonly string[] | undefined }) =>
  stations === undefined ? (
    ""
  ) : (
    <p class="empty" role="status" safe>
      {silentInWords(stations)}
    </p>
  );
