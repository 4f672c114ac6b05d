/** @jsxImportSource @kitajs/html */
/** The heading of a column of buttons, for screen readers. */
export const ActionsHeading = () => (
  <th scope="col">
    <span class="hidden">Actions</span>
  </th>
);
