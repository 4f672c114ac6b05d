import type { App } from "../../app.ts";
import type { Caller } from "../../auth/caller.ts";
import { openNote, sealNote } from "../../auth/signed-cookie.ts";
import { cookie, cookiesOf, KEPT_FORM_COOKIE } from "../http/cookies.ts";

/** A form that was sent before its user had to confirm their identity. It is kept, so that nothing typed is lost. */
interface KeptForm {
  userId: number;
  /** The path of its route. */
  path: string;
  params: Record<string, string>;
  /** The page with the form. */
  page: string;
  values: Record<string, string>;
}

const LIFETIME = 600_000;
/** Browsers refuse longer cookies. */
const LONGEST = 3_500;

/** The fields with secrets, which are never kept. */
export const SECRET_FIELDS: ReadonlySet<string> = new Set([
  "password",
  "current",
  "apiKey",
  "token",
  "url",
  "code",
  "passkey",
]);

/** The cookie that keeps it; null if nothing can be kept, or too much would have to be. */
export const keepForm = (app: App, form: KeptForm): string | null => {
  const values = Object.fromEntries(Object.entries(form.values).filter(([name]) => !SECRET_FIELDS.has(name)));
  if (Object.keys(values).length === 0) return null;
  const note = sealNote(app, "form", { ...form, values });
  return note.length > LONGEST ? null : cookie(app.config, KEPT_FORM_COOKIE, note, LIFETIME);
};

/** The kept form of this user on this page. */
export const keptForm = (app: App, request: Request, caller: Caller | null, page: string): KeptForm | null => {
  const notes = cookiesOf(app.config, request, KEPT_FORM_COOKIE);
  const kept = caller === null || notes.length === 0 ? null : openNote<KeptForm>(app, "form", notes);
  return kept && kept.userId === caller!.user.id && kept.page === page ? kept : null;
};
