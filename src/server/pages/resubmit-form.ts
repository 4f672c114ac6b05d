import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { openNote, sealNote } from "../../auth/signed-cookie.ts";
import { cookie, cookiesOf, KEPT_FORM_COOKIE } from "../http/cookies.ts";

/** A form that was sent when its user had to prove first to be the one: what was typed is not lost over that. */
export interface KeptForm {
  userId: number;
  /** Of the route that the form is sent to. */
  path: string;
  params: Record<string, string>;
  /** The page it stands on. */
  page: string;
  values: Record<string, string>;
}

const LIFETIME = 600_000;
/** A browser takes no longer cookie. */
const LONGEST = 3_500;

/** What is never kept anywhere: the names of the fields in which it is typed. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "password",
  "current",
  "apiKey",
  "token",
  "url",
  "code",
  "passkey",
]);

/** The cookie that keeps it; null where there is nothing to keep, or too much. */
export const keepForm = (app: App, form: KeptForm): string | null => {
  const values = Object.fromEntries(Object.entries(form.values).filter(([name]) => !SECRET_FIELDS.has(name)));
  if (Object.keys(values).length === 0) return null;
  const note = sealNote(app, "form", { ...form, values });
  return note.length > LONGEST ? null : cookie(app.config, KEPT_FORM_COOKIE, note, LIFETIME);
};

/** The form of this user that waits on this page. */
export const keptForm = (app: App, request: Request, caller: Caller | null, page: string): KeptForm | null => {
  const notes = cookiesOf(app.config, request, KEPT_FORM_COOKIE);
  const kept = caller === null || notes.length === 0 ? null : openNote<KeptForm>(app, "form", notes);
  return kept && kept.userId === caller!.user.id && kept.page === page ? kept : null;
};
