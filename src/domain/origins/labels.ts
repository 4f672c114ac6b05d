import { byService, type Labels } from "../source.ts";
import { SERVICE_ORIGINS } from "./services.ts";

/** What people call each source. */
export const LABELS: Labels = { ...byService((service) => SERVICE_ORIGINS[service].label), file: "File" };
