/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Type } from "../schema-types.ts";
import type { App } from "../../app.ts";
import { AppError } from "../../domain/errors.ts";
import { FILTER_PARAMETERS } from "../../domain/qso-filter.ts";
import type { QsoView } from "../../domain/qso-view.ts";
import type { Asker } from "../../logbook/asker.ts";
import * as contacts from "../../logbook/contacts.ts";
import type { QsoListDocument } from "../../logbook/contract.ts";
import type { Outcome, Problem } from "../../../views/form.tsx";
import { FIELDS, fieldText, type Editable } from "../../../views/partials/qso-fields.tsx";
import { Log } from "../../../views/pages/log.tsx";
import { QsoPage } from "../../../views/pages/qso.tsx";
import { asked, assertFormFields, queryOf } from "../forms.ts";
import { IdParam, only } from "../shapes.ts";
import { importUpload } from "./upload.ts";
import { inLabels } from "../refusal-words.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";

const Words = Type.Optional(Type.String());
const LogQuery = only({
  ...Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Words])),
  sort: Words,
  cursor: Words,
  done: Words,
});
const QsoQuery = only({ done: Words });
const ImportQuery = only({ dryRun: Type.Optional(Type.Boolean()), done: Words });

const FIELD_NAMES = FIELDS.map(([name]) => name);

type LogCall = Pick<PageCall, "app" | "asker" | "query">;

const logPage = async ({ app, asker, query }: LogCall, outcome: Outcome) => {
  const { done, ...given } = query as Record<string, string | undefined>;
  const question = asked(given) as Record<string, string>;
  const { page, problem } = await found(app, asker, question);
  const { sort: _, cursor: __, ...filter } = question;
  return {
    title: "Log",
    status: problem ? 400 : 200,
    body: (
      <Log
        qsos={page.qsos}
        total={page.total}
        withoutContacts={page.withoutContacts}
        asked={question}
        filterQuery={queryOf(filter)}
        next={page.nextCursor && queryOf({ ...question, cursor: page.nextCursor })}
        labels={LABELS}
        problem={outcome.problem ?? problem}
        done={outcome.done ?? done}
      />
    ),
  };
};

const NOTHING: QsoListDocument = { qsos: [], total: 0, nextCursor: null, previousCursor: null };

/** What is asked for, or what is wrong with the question. */
const found = async (app: App, asker: Asker, question: Record<string, string>) => {
  try {
    return { page: await contacts.listContacts(app, asker, question) };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const fields = Object.fromEntries((error.fields ?? []).map(({ path, message }) => [path, inLabels(message)]));
    const problem: Problem = { form: "find", message: inLabels(error.message), fields, values: question };
    return { page: NOTHING, problem };
  }
};

type QsoCall = PageCall<{ id: number }, { done?: string }>;

const qsoPage = async ({ app, asker, params, query }: QsoCall, outcome: Outcome) => {
  const qso = await contacts.contact(app, asker, params.id);
  return {
    title: qso.call,
    body: <QsoPage qso={qso} labels={LABELS} problem={outcome.problem} done={outcome.done ?? query.done} />,
  };
};

/** A form sends every field; only those that differ from what was shown were typed. */
const typedIn = (fields: Record<string, string>, shown: Editable | null): Record<string, unknown> => {
  assertFormFields(fields, [...FIELD_NAMES, "seen"]);
  const typed: Record<string, unknown> = {};
  for (const name of FIELD_NAMES) {
    const text = fields[name]?.trim();
    if (text === undefined || text === (shown ? fieldText(shown, name) : "")) continue;
    if (text === "") typed[name] = null;
    else typed[name] = name === "freqHz" ? hertzOf(text) : text;
  }
  return typed;
};

/** What the fields held when the form was opened, as the form itself says. */
const seenIn = ({ seen }: Record<string, string>): Editable | null => {
  if (seen === undefined) return null;
  try {
    const held: unknown = JSON.parse(seen);
    if (held !== null && typeof held === "object") return held as Editable;
  } catch {
    // Told below.
  }
  throw new AppError("invalid", "This form cannot be read. Open the page again.");
};

const hertzOf = (megahertz: string): number | string => {
  const hertz = Math.round(Number(megahertz.replace(",", ".")) * 1e6);
  return Number.isSafeInteger(hertz) ? hertz : megahertz;
};

/** A field that was emptied may still be said by others. */
const savedWords = (typed: Record<string, unknown>, qso: QsoView): string => {
  const stillSaid = FIELD_NAMES.filter((name) => typed[name] === null && qso[name] !== null);
  return stillSaid.length === 0 ? "saved" : `still.${stillSaid.join(".")}`;
};

const ofQso = { access: "user", params: IdParam, query: QsoQuery } as const;

export const logPages = [
  pageRoute({ path: "/log", access: "user", query: LogQuery }, (call) => logPage(call, {})),
  formRoute(
    { path: "/log", access: "user", form: "new-qso" },
    async ({ app, asker }, fields) => {
      const { id } = await contacts.addContact(app, asker, typedIn(fields, null));
      return { goto: `/log/${id}?done=added` };
    },
    logPage,
  ),
  formRoute(
    { path: "/log/import", access: "user", query: ImportQuery, rawBody: true, form: "import" },
    async ({ app, asker, request, query }) => {
      const { job } = await importUpload(app, asker, request, query);
      return { goto: `/jobs/${job.id}` };
    },
    (call, outcome) => logPage({ ...call, query: {} }, outcome),
  ),
  pageRoute({ path: "/log/:id", ...ofQso }, (call) => qsoPage(call, {})),
  formRoute(
    { path: "/log/:id", ...ofQso, form: "edit-qso", back: "/log/:id" },
    async ({ app, asker, params }, fields) => {
      const seen = seenIn(fields);
      const shown = seen ?? (await contacts.contact(app, asker, params.id));
      const typed = typedIn(fields, shown);
      const qso = await contacts.editContact(app, asker, params.id, { ...typed, ...(seen ? { seen } : {}) });
      return savedWords(typed, qso);
    },
    qsoPage,
  ),
  formRoute(
    { path: "/log/:id/delete", ...ofQso, form: "delete-qso" },
    async ({ app, asker, params }) => {
      await contacts.deleteContact(app, asker, params.id);
      return { goto: "/log?done=deleted" };
    },
    qsoPage,
  ),
];
