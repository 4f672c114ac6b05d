/** @jsxImportSource @kitajs/html */

/** The name of a table, for those who go from table to table. */
export const Caption = ({ words }: { words: string }) => (
  <caption class="hidden" safe>
    {words}
  </caption>
);
