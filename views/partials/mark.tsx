/** @jsxImportSource @kitajs/html */
import type { Mark as Letter } from "../../src/domain/contact/marks.ts";

const LOOKS: Record<Letter, readonly [name: string, meaning: string]> = {
  C: ["cell-c", "confirmed"],
  W: ["cell-w", "uploaded, not confirmed"],
  "–": ["cell-n", "not uploaded"],
};

/** The mark of a witness: the letter shows it, the colour repeats it. */
export const Mark = ({ of }: { of: Letter }) => (
  <abbr class={`mark ${LOOKS[of][0]}`} title={LOOKS[of][1]}>
    {of}
  </abbr>
);
