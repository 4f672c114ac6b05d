/** @jsxImportSource @kitajs/html */

/** A band's name with a tick in its colour, from red for long waves to violet for short ones. */
export const Band = ({ band }: { band: string }) => (
  <span class={["band", `band-${band}`]} safe>
    {band}
  </span>
);
