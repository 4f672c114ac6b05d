import type { App } from "../app.ts";
import { byService } from "../domain/source.ts";
import type { Labels } from "../../views/labels.ts";

/** What people call the sources of contacts. */
export const labelsOf = ({ providers }: Pick<App, "providers">): Labels => ({
  ...byService((service) => providers[service].label),
  file: "File",
});
