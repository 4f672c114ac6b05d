import { firstOrigin } from "../domain/origins/first.ts";
import type { Provider } from "../domain/jobs/provider.ts";
import { cleanCallsign, cleanPassword, cleanWord, readCredentials } from "./credentials.ts";
import { getLogin, rewind } from "./first-cursor.ts";
import { lazyDownload } from "./lazy-download.ts";

const FIELDS = [
  { name: "username", label: "Username", secret: false, required: true, help: "Of the LoTW website." },
  {
    name: "password",
    label: "Password",
    secret: true,
    required: true,
    help: "Of the LoTW website, not of the certificate.",
  },
  {
    name: "callsign",
    label: "Callsign",
    secret: false,
    required: false,
    help: "Sent to the service to identify you. The contacts of all callsigns of the account are downloaded.",
  },
];

/** ARRL's Logbook of The World. */
export const first: Provider = {
  source: "first",
  label: firstOrigin.label,
  fields: FIELDS,
  help: "Logbook of The World of the ARRL. Contacts and confirmations are downloaded; nothing is uploaded.",
  normaliseCredentials: (given) =>
    readCredentials(FIELDS, { username: cleanWord, password: cleanPassword, callsign: cleanCallsign }, given),
  login: getLogin,
  ...lazyDownload(() => import("./first-download.ts")),
  rewind,
};
