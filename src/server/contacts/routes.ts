import type { TSchema } from "typebox";
import { isoDate } from "../../domain/instant.ts";
import { Type } from "../schema-types.ts";
import { FILTER_PARAMETERS, parseFilter, parseListing } from "../../domain/qso-filter.ts";
import { fieldOf, PLAIN_NAMES, type Holds } from "../../domain/fields.ts";
import { qsoView } from "../../domain/qso-view.ts";
import { jobView } from "../../domain/sync-job.ts";
import { addQso, deleteQso, editQso } from "../../contacts/edit.ts";
import { ADIF_TYPE, exportAdif } from "../../contacts/export.ts";
import * as qsoList from "../../storage/qso-list.ts";
import * as qsos from "../../storage/qsos.ts";
import { tagged } from "../etag.ts";
import { route } from "../route.ts";
import { importUpload } from "./upload.ts";
import { Count, Id, IdParam, JobShape, Ms, NextCursor, only, orNull, Text, words } from "../shapes.ts";

const textOrNull = orNull(Text);

const SHAPES: Record<Holds<unknown>["kind"], () => TSchema> = {
  text: () => Text,
  number: () => Type.Number(),
  integer: () => Type.Integer(),
  moment: () => Ms,
  flag: () => Type.Boolean(),
};

const shapeOf = ({ kind, isNullable }: Holds<unknown>): TSchema =>
  isNullable ? orNull(SHAPES[kind]()) : SHAPES[kind]();

const origin = {
  confirmed: Type.Boolean(),
  confirmedAt: orNull(Ms),
  via: orNull(words(["file", "service", "typed"] as const)),
  externalId: textOrNull,
  details: orNull(Type.Record(Text, Text)),
};

const QsoShape = only({
  id: Id,
  ...Object.fromEntries(PLAIN_NAMES.map((name) => [name, shapeOf(fieldOf(name).holds)])),
  entity: textOrNull,
  confirmation: words(["none", "firstOnly", "secondOnly", "both"] as const),
  card: only({ confirmed: Type.Boolean() }),
  own: only({ ...origin, typed: Type.Record(Text, Text) }),
  first: only(origin),
  second: only(origin),
  extra: Type.Record(Text, Text),
  createdAt: Ms,
  updatedAt: Ms,
});

const Words = Type.Optional(Type.String({ maxLength: 500 }));
const filters = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Words]));
const Filter = only(filters);
const Listing = only({
  ...filters,
  sort: Words,
  limit: Words,
  cursor: Type.Optional(Type.String({ maxLength: 2000 })),
});

/** Checked field by field where it is understood, so that every problem is named. */
const Typed = Type.Record(Text, Type.Unknown());

export const qsoRoutes = [
  route(
    {
      method: "GET",
      path: "/api/qsos",
      access: "user",
      summary: "The log, filtered, sorted, page by page",
      query: Listing,
      answer: only({ qsos: Type.Array(QsoShape), total: Count, nextCursor: NextCursor }),
    },
    (call) => {
      const listing = parseListing(call.query as Record<string, string>);
      const { app, caller } = call;
      return tagged(call, async () => {
        const [page, total] = await app.db.read(function* () {
          return [
            yield* qsoList.list(caller.user.id, listing),
            yield* qsoList.count(caller.user.id, listing.filter),
          ] as const;
        });
        return { qsos: page.qsos.map(qsoView), total, nextCursor: page.nextCursor };
      });
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/qsos",
      access: "user",
      summary: "Add a QSO by hand",
      body: Typed,
      answer: QsoShape,
      status: 201,
    },
    async ({ app, caller, body }) => qsoView(await addQso(app, caller.user.id, body, await app.callFacts())),
  ),
  route(
    {
      method: "GET",
      path: "/api/qsos/export",
      access: "user",
      summary: "The log as ADIF",
      query: Filter,
    },
    ({ app, caller, query }) => {
      const filter = parseFilter(query as Record<string, string>);
      const day = isoDate(app.clock());
      return new Response(streamOf(exportAdif(app, caller.user.id, filter)), {
        headers: {
          "content-type": ADIF_TYPE,
          "content-disposition": `attachment; filename="${caller.user.username}-${day}.adi"`,
        },
      });
    },
  ),
  route(
    {
      method: "POST",
      path: "/api/qsos/import",
      access: "user",
      summary: "Import an ADIF file, as the body or as a form's file",
      rawBody: true,
      query: only({ dryRun: Type.Optional(Type.Boolean()) }),
      answer: only({ job: JobShape }),
      status: 201,
    },
    async ({ app, caller, query, request }) => {
      const job = await importUpload(app, caller.user.id, request, query.dryRun);
      return { job: jobView(job, app.clock()) };
    },
  ),
  route(
    {
      method: "GET",
      path: "/api/qsos/:id",
      access: "user",
      summary: "A QSO with what each origin said",
      params: IdParam,
      answer: QsoShape,
    },
    (call) =>
      tagged(call, async () => qsoView(await call.app.db.read(() => qsos.get(call.caller.user.id, call.params.id)))),
  ),
  route(
    {
      method: "PATCH",
      path: "/api/qsos/:id",
      access: "user",
      summary: "Change what was typed",
      params: IdParam,
      body: Typed,
      answer: QsoShape,
    },
    async ({ app, caller, params, body }) =>
      qsoView(await editQso(app, caller.user.id, params.id, body, await app.callFacts())),
  ),
  route(
    { method: "DELETE", path: "/api/qsos/:id", access: "user", summary: "Delete a QSO for good", params: IdParam },
    async ({ app, caller, params }) => {
      await deleteQso(app, caller.user.id, params.id);
    },
  ),
];

const streamOf = (texts: AsyncGenerator<string>): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
};
