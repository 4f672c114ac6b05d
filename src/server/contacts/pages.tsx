/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Type } from "../schema-types.ts";
import { AppError } from "../../domain/errors.ts";
import { FILTER_PARAMETERS, parseListing, type QsoParameters } from "../../domain/qso-filter.ts";
import { qsoView, type QsoView } from "../../domain/qso-view.ts";
import { addQso, deleteQso, editQso } from "../../contacts/edit.ts";
import * as qsoList from "../../storage/qso-list.ts";
import * as qsos from "../../storage/qsos.ts";
import type { Outcome, Problem } from "../../../views/form.tsx";
import { FIELDS, fieldText } from "../../../views/partials/qso-fields.tsx";
import { Log } from "../../../views/pages/log.tsx";
import { QsoPage } from "../../../views/pages/qso.tsx";
import { assertFormFields } from "../forms.ts";
import { IdParam, only } from "../shapes.ts";
import { importUpload } from "./upload.ts";
import { labelsOf } from "../dashboard/pages.tsx";
import { queryOf } from "../jobs/pages.tsx";
import { formRoute, pageRoute, type PageCall } from "../page-route.ts";

const Words = Type.Optional(Type.String({ maxLength: 4000 }));
const LogQuery = only({
  ...Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Words])),
  sort: Words,
  cursor: Words,
  done: Words,
});
const QsoQuery = only({ done: Words });
const ImportQuery = only({ dryRun: Type.Optional(Type.Boolean()), done: Words });

const FIELD_NAMES = FIELDS.map(([name]) => name);

const logPage = async ({ app, caller, query }: Pick<PageCall, "app" | "caller" | "query">, outcome: Outcome) => {
  const { done, ...given } = query as Record<string, string | undefined>;
  const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value)) as Record<string, string>;
  const listing = listingOf(asked);
  const userId = caller.user.id;
  const [page, total] = await app.db.read(function* () {
    if ("form" in listing) return [{ qsos: [], nextCursor: null }, 0] as const;
    return [yield* qsoList.list(userId, listing), yield* qsoList.count(userId, listing.filter)] as const;
  });
  const { sort: _, cursor: __, ...filter } = asked;
  return {
    title: "Log",
    status: "form" in listing ? 400 : 200,
    body: (
      <Log
        qsos={page.qsos.map(qsoView)}
        total={total}
        asked={asked}
        filterQuery={queryOf(filter)}
        next={page.nextCursor && queryOf({ ...asked, cursor: page.nextCursor })}
        labels={labelsOf(app)}
        problem={outcome.problem ?? ("form" in listing ? listing : undefined)}
        done={outcome.done ?? done}
      />
    ),
  };
};

/** What is asked for, or what is wrong with the question. */
const listingOf = (asked: Record<string, string>) => {
  try {
    return parseListing(asked as QsoParameters);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const fields = Object.fromEntries((error.fields ?? []).map(({ path, message }) => [path, message]));
    return { form: "find", message: error.message, fields, values: asked } satisfies Problem;
  }
};

type QsoCall = PageCall<{ id: number }, { done?: string }>;

const qsoPage = async ({ app, caller, params, query }: QsoCall, outcome: Outcome) => {
  const qso = qsoView(await app.db.read(() => qsos.get(caller.user.id, params.id)));
  return {
    title: qso.call,
    body: <QsoPage qso={qso} labels={labelsOf(app)} problem={outcome.problem} done={outcome.done ?? query.done} />,
  };
};

/** A form sends every field; only those that differ from what was shown were typed. */
const typedIn = (fields: Record<string, string>, shown: QsoView | null): Record<string, unknown> => {
  assertFormFields(fields, FIELD_NAMES);
  const typed: Record<string, unknown> = {};
  for (const name of FIELD_NAMES) {
    const text = fields[name]?.trim();
    if (text === undefined || text === (shown ? fieldText(shown, name) : "")) continue;
    if (text === "") typed[name] = null;
    else typed[name] = name === "freqHz" ? hertzOf(text) : text;
  }
  return typed;
};

const hertzOf = (megahertz: string): number | string => {
  const hertz = Math.round(Number(megahertz.replace(",", ".")) * 1e6);
  return Number.isSafeInteger(hertz) ? hertz : megahertz;
};

const ofQso = { access: "user", params: IdParam, query: QsoQuery } as const;

export const logPages = [
  pageRoute({ path: "/log", access: "user", query: LogQuery }, (call) => logPage(call, {})),
  formRoute(
    { path: "/log", access: "user", form: "new-qso" },
    async ({ app, caller }, fields) => {
      const { id } = await addQso(app, caller.user.id, typedIn(fields, null), await app.callFacts());
      return { goto: `/log/${id}?done=added` };
    },
    logPage,
  ),
  formRoute(
    { path: "/log/import", access: "user", query: ImportQuery, rawBody: true, form: "import" },
    async ({ app, caller, request, query }) => {
      const job = await importUpload(app, caller.user.id, request, query.dryRun);
      return { goto: `/jobs/${job.id}` };
    },
    (call, outcome) => logPage({ ...call, query: {} }, outcome),
  ),
  pageRoute({ path: "/log/:id", ...ofQso }, (call) => qsoPage(call, {})),
  formRoute(
    { path: "/log/:id", ...ofQso, form: "edit-qso", back: "/log/:id" },
    async ({ app, caller, params }, fields) => {
      const shown = qsoView(await app.db.read(() => qsos.get(caller.user.id, params.id)));
      await editQso(app, caller.user.id, params.id, typedIn(fields, shown), await app.callFacts());
      return "saved";
    },
    qsoPage,
  ),
  formRoute(
    { path: "/log/:id/delete", ...ofQso, form: "delete-qso" },
    async ({ app, caller, params }) => {
      await deleteQso(app, caller.user.id, params.id);
      return { goto: "/log?done=deleted" };
    },
    qsoPage,
  ),
];
