import { secondOrigin } from "../domain/origins/second.ts";
import type { Provider } from "../domain/jobs/provider.ts";
import { cleanCallsign, cleanWord, readCredentials } from "./credentials.ts";
import { rewind } from "./second-cursor.ts";

const FIELDS = [
  {
    name: "apiKey",
    label: "API key",
    secret: true,
    required: true,
    help: "In the settings of your logbook on QRZ.com. Each logbook has its own key.",
  },
  {
    name: "callsign",
    label: "Callsign",
    secret: false,
    required: false,
    help: "If set, qsolog refuses a logbook with a different callsign.",
  },
];

/** The Logbook of QRZ.com. */
export const second: Provider = {
  source: "second",
  label: secondOrigin.label,
  fields: FIELDS,
  help: "Your logbook on QRZ.com. Requires their XML subscription. qsolog downloads contacts and changes nothing.",
  normaliseCredentials: (given) => readCredentials(FIELDS, { apiKey: cleanWord, callsign: cleanCallsign }, given),
  login: ({ apiKey = "" }) => apiKey.replaceAll("-", "").toUpperCase(),
  // The download is loaded on first use, so that commands start fast.
  test: async (...asked) => (await import("./second-download.ts")).test(...asked),
  async *download(...asked) {
    const { download } = await import("./second-download.ts");
    return yield* download(...asked);
  },
  rewind,
};
