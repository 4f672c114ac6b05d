/** @jsxImportSource @kitajs/html */
import { TEXTS } from "../texts/shared.ts";

/** The heading of a column of buttons, for screen readers. */
export const ActionsHeading = () => (
  <th scope="col">
    <span class="hidden">{TEXTS.tables.actionsHead}</span>
  </th>
);
