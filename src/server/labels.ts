import type { App } from "../app.ts";
import { byService } from "../domain/source.ts";
import type { Labels } from "../../views/labels.ts";

/** What people call the sources of contacts. */
export const labelsOf = ({ providers }: Pick<App, "providers">): Labels => ({
  ...byService((service) => providers[service].label),
  file: "File",
});

/** What was typed stands between quotation marks and stays as it is. */
const SAID_OF_SERVICES = /"(?:[^"\\]|\\.)*"|\b(first|second)(Only)?\b/g;

/** A refusal in the words of the pages, where the contract calls a service `first` and its confirmations `firstOnly`. */
export const inLabels = (app: Pick<App, "providers">, message: string): string => {
  const labels = labelsOf(app);
  return message.replace(SAID_OF_SERVICES, (all, service?: "first" | "second", only?: string) =>
    service ? labels[service] + (only ? " only" : "") : all,
  );
};
