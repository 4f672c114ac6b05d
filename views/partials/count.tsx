/** @jsxImportSource @kitajs/html */
import { grouped } from "../words.ts";

/** A table cell with a number; zero is shown muted. */
export const Count = ({ label, of }: { label: string; of: number }) => (
  <td class={["num", of === 0 && "zero"]} data-label={label} safe>
    {grouped(of)}
  </td>
);
