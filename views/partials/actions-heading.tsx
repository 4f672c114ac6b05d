/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@kitajs/html";
/** Heads a column of buttons, for who cannot see that they are some. */
export const ActionsHeading = () => (
  <th scope="col">
    <span class="hidden">Actions</span>
  </th>
);
