import { firstOrigin } from "../domain/origins/first.ts";
import type { Provider } from "../domain/jobs/provider.ts";
import { cleanCallsign, cleanPassword, cleanWord, readCredentials } from "./credentials.ts";
import { getLogin, rewind } from "./first-cursor.ts";

const FIELDS = [
  { name: "username", label: "Username", secret: false, required: true, help: "Your username on the LoTW website." },
  {
    name: "password",
    label: "Password",
    secret: true,
    required: true,
    help: "Your password on the LoTW website, not the one of your certificate.",
  },
  {
    name: "callsign",
    label: "Callsign",
    secret: false,
    required: false,
    help: "Sent to LoTW to identify you. qsolog downloads the contacts of all your callsigns.",
  },
];

/** ARRL's Logbook of The World. */
export const first: Provider = {
  source: "first",
  label: firstOrigin.label,
  fields: FIELDS,
  help: "ARRL's Logbook of The World. qsolog downloads contacts and confirmations and uploads nothing.",
  normaliseCredentials: (given) =>
    readCredentials(FIELDS, { username: cleanWord, password: cleanPassword, callsign: cleanCallsign }, given),
  login: getLogin,
  // The download is loaded on first use, so that commands start fast.
  test: async (...asked) => (await import("./first-download.ts")).test(...asked),
  async *download(...asked) {
    const { download } = await import("./first-download.ts");
    return yield* download(...asked);
  },
  rewind,
};
