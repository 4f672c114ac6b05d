import { byService, type Labels, type Service } from "../jobs/source.ts";
import { SERVICE_ORIGINS } from "./services.ts";

/** The display name of each source. */
export const LABELS: Labels = {
  ...byService((service) => SERVICE_ORIGINS[service].label),
  file: "Import",
  feed: "Program",
  repair: "Bulk edit",
};

/** A service's label as it is typed. */
export const getTypedLabel = (service: Service): string => LABELS[service].toLowerCase();
