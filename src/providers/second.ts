import { secondOrigin } from "../domain/origins/second.ts";
import type { Provider } from "../domain/jobs/provider.ts";
import { cleanCallsign, cleanWord, readCredentials } from "./credentials.ts";
import { rewind } from "./second-cursor.ts";
import { lazyDownload } from "./lazy-download.ts";

const FIELDS = [
  {
    name: "apiKey",
    label: "API key",
    secret: true,
    required: true,
    help: "From the settings of the logbook at QRZ.com. Each logbook has its own.",
  },
  {
    name: "callsign",
    label: "Callsign",
    secret: false,
    required: false,
    help: "Where given, a logbook of another callsign is refused.",
  },
];

/** The Logbook of QRZ.com. */
export const second: Provider = {
  source: "second",
  label: secondOrigin.label,
  fields: FIELDS,
  help: "The logbook at QRZ.com. Needs an XML subscription there. Contacts are downloaded; nothing is changed.",
  normaliseCredentials: (given) => readCredentials(FIELDS, { apiKey: cleanWord, callsign: cleanCallsign }, given),
  login: ({ apiKey = "" }) => apiKey.replaceAll("-", "").toUpperCase(),
  ...lazyDownload(() => import("./second-download.ts")),
  rewind,
};
