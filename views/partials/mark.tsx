/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
/** C for confirmed, W for worked only, a dot for neither: the letter says it, the colour repeats it. */
export const Mark = ({ confirmed, worked = true }: { confirmed: boolean; worked?: boolean }) => {
  if (confirmed)
    return (
      <abbr class="mark cell-c" title="confirmed">
        C
      </abbr>
    );
  if (worked)
    return (
      <abbr class="mark cell-w" title="worked, not confirmed">
        W
      </abbr>
    );
  return (
    <abbr class="mark cell-n" title="not worked">
      ·
    </abbr>
  );
};
