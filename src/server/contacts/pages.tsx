/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import type { App } from "../../app.ts";
import { AppError } from "../../kernel/errors.ts";
import { FILTER_PARAMETERS } from "../../domain/contact/qso-filter.ts";
import { splitFilters } from "../../domain/contact/search-words.ts";
import type { QsoView } from "../../domain/contact/qso-view.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import * as contacts from "../../logbook/contacts.ts";
import type { ListParameters, QsoListDocument } from "../../logbook/contract.ts";
import type { Outcome } from "../../../views/form.tsx";
import { findChanges, FORM_FIELDS, type Editable } from "../../domain/contact/qso-form.ts";
import { splitLine, toTypedQso, toNeedRequest } from "../../domain/contact/quick-entry.ts";
import { listDuplicates } from "../../logbook/duplicates.ts";
import { countUnresolved, reconcile } from "../../logbook/reconcile.ts";
import * as awards from "../../logbook/awards.ts";
import { need } from "../../logbook/need.ts";
import { assertNoImport } from "../../logbook/job-actions.ts";
import { AddQso, ImportFile, ImportProgress, QuickHints, QuickReports } from "../../../views/pages/add-and-import.tsx";
import { Log, LogTools, ToolCount } from "../../../views/pages/log.tsx";
import { LOG_COLUMNS } from "../../../views/partials/contacts/log-columns.ts";
import { PastPanel, QsoPanel } from "../../../views/partials/contacts/qso-story.tsx";
import { PastQsoPage, QsoPage } from "../../../views/pages/qso.tsx";
import { asked, assertFormFields, problemOf, queryOf } from "../pages/forms.ts";
import { AsOf, IdParam, only, words } from "../http/shapes.ts";
import { columnsOf, rememberColumns } from "./chosen-columns.ts";
import { importUpload } from "./upload.ts";
import { problemOfQuestion } from "../pages/refusal-words.ts";
import { listEntitySlots, loadDxccMatrices } from "../../domain/awards/entity-slots.ts";
import type { NeedRequest } from "../../domain/awards/need.ts";
import { formatFromNow } from "../../kernel/time-text.ts";
import { LOG_TEXTS } from "../../../views/texts/log.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";

const Words = Type.Optional(Type.String());
const Filters = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Words]));
const LogQuery = only({ ...Filters, ...AsOf, sort: Words, cursor: Words, before: Words, first: Words, done: Words });
const QsoQuery = only({ ...AsOf, done: Words });
const ImportQuery = only({ dryRun: Type.Optional(Type.Boolean()), done: Words });

const ProgressQuery = only({ waited: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })) });

const FIELD_NAMES = FORM_FIELDS.map(([name]) => name);

const logPage = async ({ app, watching, request, query }: PageCall) => {
  const { done, ...given } = query as Record<string, string | undefined>;
  const { sort = "-startedAt", cursor, before, first, asOf, ...filters } = asked(given) as Record<string, string>;
  const { search, others } = splitFilters(filters);
  const { page, problem } = await found(app, watching(LOG_TEXTS.log), { ...filters, sort, cursor, before, asOf });
  return {
    title: LOG_TEXTS.log,
    status: problem ? 400 : 200,
    body: (
      <Log
        qsos={page.qsos}
        total={page.total}
        withoutContacts={page.withoutContacts}
        search={search}
        sort={sort}
        others={asOf === undefined ? others : { ...others, asOf }}
        place={asked({ cursor, before, first })}
        first={page.previousCursor === null ? 1 : readPosition(first)}
        past={page.asOf}
        columns={columnsOf(app.config, request)}
        next={page.nextCursor}
        previous={page.previousCursor}
        problem={problem}
        done={done}
      />
    ),
  };
};

const readPosition = (text: string | undefined): number | null =>
  /^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : null;

const NOTHING: QsoListDocument = { qsos: [], total: 0, nextCursor: null, previousCursor: null };

/** The contacts that were asked for, or what is wrong with the question. */
const found = async (app: App, asker: LogCaller, question: ListParameters) => {
  try {
    return { page: await contacts.listContacts(app, asker, question) };
  } catch (error) {
    return { page: NOTHING, problem: problemOfQuestion("find", error) };
  }
};

const AddQuery = only({ call: Words, band: Words, mode: Words, done: Words });

const MAX_LAST = "10";

const addPage = async ({ app, asker, query }: PageCall<unknown, Static<typeof AddQuery>>, { problem }: Outcome) => {
  const { call = "", band = "", mode = "", done } = query;
  const added = /^\d{1,15}$/.test(done ?? "")
    ? await contacts.contact(app, asker, Number(done)).catch(() => null)
    : null;
  const { qsos: last } = await contacts.listContacts(app, asker, { limit: MAX_LAST });
  return {
    title: LOG_TEXTS.newQso,
    body: (
      <AddQso
        call={call}
        band={band}
        mode={mode}
        added={added}
        canUndo={added !== null && (await contacts.canTakeBack(app, asker, added.id))}
        last={last}
        undone={done === "undone"}
        problem={problem}
      />
    ),
  };
};

const QUICK_FIELDS = ["call", "startedAt", "band", "mode", "rstSent", "rstRcvd"] as const;
const HintQuery = only(Object.fromEntries(QUICK_FIELDS.map((name) => [name, Words])));

const CALL_TYPED = /^[\w/]{3,20}$/;

/** Nothing until the text is long enough to be a callsign. */
const hintsOf = async ({ app, asker, query }: PageCall<unknown, Record<string, string | undefined>>) => {
  const request = toNeedRequest(query);
  const hints = CALL_TYPED.test(request.call) ? await hintsFor(app, asker, request) : <div></div>;
  return {
    fragment: (
      <>
        {hints as "safe"}
        <QuickReports mode={splitLine(query).mode ?? ""} />
      </>
    ),
  };
};

const hintsFor = async (app: App, asker: LogCaller, request: NeedRequest) => {
  const known = await need(app, asker, request);
  const matrices = await loadDxccMatrices((group) => awards.matrix(app, asker, "dxcc", { group }));
  const slots = known.entity === null ? [] : listEntitySlots(matrices, known.entity.dxcc, known.band);
  const before = await contacts.listContacts(app, asker, { call: known.call, limit: MAX_BEFORE });
  return (
    <QuickHints
      need={known}
      before={before.qsos}
      total={before.total}
      slots={slots.map(({ band, group, state }) => ({ band, mode: LOG_TEXTS.groups[group], state }))}
      here={{ band: known.band, mode: known.group && LOG_TEXTS.groups[known.group] }}
      twice={await describeTwin(app, asker, request)}
    />
  );
};

/** A warning if the same contact was logged a moment ago. */
const describeTwin = async (app: App, asker: LogCaller, request: NeedRequest): Promise<string | null> => {
  const twin = await contacts.findJustLogged(app, asker, request);
  if (twin === null) return null;
  const ago = formatFromNow(twin.startedAt, app.clock());
  return LOG_TEXTS.justLogged(twin.call, ago, `${request.band} ${request.mode}`);
};

const MAX_BEFORE = "5";

/** A blocked import is refused before a file is chosen. */
const importPage = async ({ app, asker }: PageCall<unknown, Static<typeof ImportQuery>>, { problem }: Outcome) => {
  const refusal = await assertNoImport(app, asker).then(
    () => null,
    (error: unknown) => {
      if (error instanceof AppError && error.rule === "job_active") return error;
      throw error;
    },
  );
  const blocked = refusal && problemOf("import", refusal);
  return {
    title: LOG_TEXTS.import,
    body: <ImportFile isBlocked={blocked !== null} problem={problem ?? blocked ?? undefined} />,
  };
};

/** Several boxes send the same name, which a query with one value per name cannot hold. */
const chosenIn = (request: Request): string =>
  new URL(request.url).searchParams
    .getAll("id")
    .filter((id) => /^\d{1,15}$/.test(id))
    .join(",");

type QsoCall = PageCall<{ id: number }, { asOf?: string; done?: string }>;

const qsoPage = async ({ app, asker, watching, params, query }: QsoCall, outcome: Outcome) => {
  const { asOf } = query;
  if (asOf !== undefined) {
    const past = await contacts.contact(app, watching(LOG_TEXTS.contact), params.id, { asOf });
    return { title: past.call, body: <PastQsoPage past={past} /> };
  }
  const story = await contacts.contactStory(app, asker, params.id);
  return {
    title: story.qso.call,
    body: <QsoPage story={story} {...outcome} />,
  };
};

const typedIn = (fields: Record<string, string>, shown: Editable | null): Record<string, unknown> => {
  assertFormFields(fields, [...FIELD_NAMES, "seen"]);
  return findChanges(fields, shown);
};

/** The values of the fields when the form was opened, sent with the form. */
const seenIn = ({ seen }: Record<string, string>): Editable | null => {
  if (seen === undefined) return null;
  try {
    const held: unknown = JSON.parse(seen);
    if (held !== null && typeof held === "object") return held as Editable;
  } catch {
    // The problem is reported below.
  }
  throw new AppError("invalid", "The form is incomplete. Open the page again.");
};

/** Other sources may still give a value for a field that was emptied. */
const savedWords = (typed: Record<string, unknown>, qso: QsoView): string => {
  const stillSaid = FIELD_NAMES.filter((name) => typed[name] === null && qso[name] !== null);
  return stillSaid.length === 0 ? "saved" : `still.${stillSaid.join(".")}`;
};

const ofQso = { params: IdParam, query: QsoQuery } as const;

const ChosenQuery = only({
  id: Words,
  format: Words,
  act: Type.Optional(words(["export", "repair", "delete"] as const)),
});

export const logPages = [
  pageRoute("/log", { query: LogQuery, page: logPage }),
  formRoute("/log/columns", {
    query: LogQuery,
    form: "columns",
    back: "/log",
    async submit(call, fields) {
      const names = LOG_COLUMNS.map(({ name }) => name);
      assertFormFields(fields, names);
      call.header("set-cookie", rememberColumns(call.app.config, Object.keys(fields)));
      return "";
    },
  }),
  pageRoute("/log/tools", {
    async page({ app, asker }) {
      const { total: duplicates } = await listDuplicates(app, asker, {});
      return { fragment: <LogTools counts={{ duplicates, unresolved: await countUnresolved(app, asker) }} /> };
    },
  }),
  pageRoute("/log/tools/differences", {
    async page({ app, asker }) {
      const { counts } = await reconcile(app, asker, {});
      return { fragment: <ToolCount count={counts.differs} /> };
    },
  }),
  pageRoute("/log/chosen", {
    query: ChosenQuery,
    page({ request, query: { act, format } }) {
      const id = chosenIn(request);
      if (id === "") return { goto: "/log" };
      if (act === "export" || act === undefined) return { goto: `/api/qsos/export${queryOf({ id, format })}` };
      return { goto: `/repair${queryOf({ id, what: act === "delete" ? "delete" : undefined })}` };
    },
  }),
  pageRoute("/log/add", { query: AddQuery, page: addPage }),
  pageRoute("/log/add/hints", { query: HintQuery, page: (call) => hintsOf(call as never) }),
  formRoute("/log", {
    query: AddQuery,
    form: "new-qso",
    async submit({ app, asker }, fields) {
      const { id } = await contacts.addContact(app, asker, typedIn(fields, null));
      return { goto: `/log/${id}?done=added` };
    },
    page: addPage,
  }),
  formRoute("/log/quick", {
    query: AddQuery,
    form: "quick",
    async submit({ app, asker }, fields) {
      assertFormFields(fields, [...QUICK_FIELDS, "again"]);
      const { again, ...rest } = asked(fields);
      const given = splitLine(rest);
      // A typed time is deliberate. Without one, the same contact twice is a second press of Enter.
      const isNow = given.startedAt === undefined && again !== fields.call;
      const request = toNeedRequest(given);
      const twin = isNow && CALL_TYPED.test(request.call) ? await describeTwin(app, asker, request) : null;
      if (twin !== null) throw new AppError("conflict", twin, { fields: [{ path: "call", message: twin }] });
      const typed = toTypedQso(given, app.clock());
      const { id } = await contacts.addContact(app, asker, typed);
      return { goto: `/log/add${queryOf({ band: given.band, mode: given.mode, done: String(id) })}` };
    },
    page: addPage,
  }),
  formRoute("/log/:id/take-back", {
    ...ofQso,
    form: "take-back",
    async submit({ app, asker, params }) {
      await contacts.takeBackContact(app, asker, params.id);
      return { goto: "/log/add?done=undone" };
    },
  }),
  pageRoute("/log/import", { query: ImportQuery, page: importPage }),
  pageRoute("/log/import/progress", {
    query: ProgressQuery,
    page: ({ app, asker, query }) => ({
      fragment: <ImportProgress arriving={app.uploads.getArriving(asker.owner.id)} waited={query.waited ?? 0} />,
    }),
  }),
  formRoute("/log/import", {
    query: ImportQuery,
    rawBody: true,
    form: "import",
    async submit({ app, asker, request, query }) {
      const { job } = await importUpload(app, asker, request, query);
      return { goto: `/jobs/${job.id}` };
    },
    page: importPage,
  }),
  pageRoute("/log/:id", { ...ofQso, page: qsoPage }),
  pageRoute("/log/:id/panel", {
    params: IdParam,
    query: only(AsOf),
    page: async ({ app, asker, params, query: { asOf } }) => ({
      fragment:
        asOf === undefined ? (
          <QsoPanel story={await contacts.contactStory(app, asker, params.id)} />
        ) : (
          <PastPanel past={await contacts.contact(app, asker, params.id, { asOf })} />
        ),
    }),
  }),
  formRoute("/log/:id", {
    ...ofQso,
    form: "edit-qso",
    back: "/log/:id",
    async submit({ app, asker, params }, fields) {
      const seen = seenIn(fields);
      const shown = seen ?? (await contacts.contact(app, asker, params.id));
      const typed = typedIn(fields, shown);
      const qso = await contacts.editContact(app, asker, params.id, { ...typed, ...(seen ? { seen } : {}) });
      return savedWords(typed, qso);
    },
    page: qsoPage,
  }),
  formRoute("/log/:id/delete", {
    ...ofQso,
    form: "delete-qso",
    async submit({ app, asker, params }) {
      await contacts.deleteContact(app, asker, params.id);
      return { goto: "/log?done=deleted" };
    },
    page: qsoPage,
  }),
];
