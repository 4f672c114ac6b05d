import { byService, SOURCES, type Service, type Source } from "../jobs/source.ts";
import { SERVICE_ORIGINS } from "./services.ts";

/** The display name of each source. */
export const LABELS: Readonly<Record<Source, string>> = {
  ...byService((service) => SERVICE_ORIGINS[service].label),
  file: "Import",
  feed: "Program",
  repair: "Bulk edit",
};

/** A service's label as it is typed. */
export const getTypedLabel = (service: Service): string => LABELS[service].toLowerCase();

/** Parses a source by label or name, ignoring case; null if unknown. */
export const readSource = (text: string): Source | null => {
  const word = text.trim().toLowerCase();
  return SOURCES.find((source) => word === source || word === LABELS[source].toLowerCase()) ?? null;
};
