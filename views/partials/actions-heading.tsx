/** @jsxImportSource @kitajs/html */
/** Heads a column of buttons, for who cannot see that they are some. */
export const ActionsHeading = () => (
  <th>
    <span class="hidden">Actions</span>
  </th>
);
