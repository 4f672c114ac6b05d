import { rmSync } from "node:fs";
import Type from "typebox";
import { AppError } from "../../domain/errors.ts";
import { FILTER_PARAMETERS, parseFilter, parseListing } from "../../domain/qso-filter.ts";
import { qsoView } from "../../domain/qso-view.ts";
import { jobView } from "../../domain/sync-job.ts";
import { addQso, deleteQso, editQso } from "../../logbook/edit.ts";
import { ADIF_TYPE, exportAdif } from "../../logbook/export.ts";
import * as qsoList from "../../storage/qso-list.ts";
import * as qsos from "../../storage/qsos.ts";
import { spoolImport } from "../../sync/import-spool.ts";
import { startImport } from "../../sync/import.ts";
import { tagged } from "../etag.ts";
import { route, type AuthenticatedCall } from "../route.ts";
import { Id, IdParam, JobShape, Ms, NextCursor, only, orNull, Text, words } from "../shapes.ts";

const Count = Type.Integer({ minimum: 0 });
const textOrNull = orNull(Text);
const numberOrNull = orNull(Type.Number());

const origin = {
  confirmed: Type.Boolean(),
  confirmedAt: orNull(Ms),
  via: orNull(words(["file", "service", "typed"] as const)),
  externalId: textOrNull,
  details: orNull(Type.Record(Text, Text)),
};

export const QsoShape = only({
  id: Id,
  call: Text,
  startedAt: Ms,
  endedAt: orNull(Ms),
  band: textOrNull,
  bandRx: textOrNull,
  freqHz: numberOrNull,
  mode: textOrNull,
  submode: textOrNull,
  modeGroup: textOrNull,
  stationCallsign: textOrNull,
  operator: textOrNull,
  rstSent: textOrNull,
  rstRcvd: textOrNull,
  dxcc: numberOrNull,
  continent: textOrNull,
  cqZone: numberOrNull,
  ituZone: numberOrNull,
  prefix: textOrNull,
  state: textOrNull,
  county: textOrNull,
  gridsquare: textOrNull,
  iota: textOrNull,
  name: textOrNull,
  qth: textOrNull,
  comment: textOrNull,
  propMode: textOrNull,
  satName: textOrNull,
  txPower: numberOrNull,
  year: Type.Integer(),
  twoWay: Type.Optional(orNull(Type.Boolean())),
  credits: Type.Optional(textOrNull),
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

const LARGEST_UPLOAD = 1_073_741_824;
const LARGEST_FORM = 32 * 1_048_576;

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
      const day = new Date(app.clock()).toISOString().slice(0, 10);
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
    async (call) => {
      const { app, caller, query } = call;
      const path = await spoolUpload(call);
      try {
        const order = { userId: caller.user.id, path, trigger: "manual" as const, dryRun: query.dryRun };
        const job = await startImport(app, app.runner, order);
        void app.runner.end(job.id).finally(() => rmSync(path, { force: true }));
        return { job: jobView(job, app.clock()) };
      } catch (error) {
        rmSync(path, { force: true });
        throw error;
      }
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

/** Keeps what is sent in a file of its own: the job reads it when the request is long over. */
const spoolUpload = async ({ app, request }: AuthenticatedCall): Promise<string> => {
  const body = await bodyOf(request);
  try {
    return await spoolImport(app.config.dataDir, limited(body));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    throw new AppError("unavailable", "The disk of the server is full.");
  }
};

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_UPLOAD) throw new AppError("too_large", "The file is larger than 1 GB.");
    yield chunk;
  }
}

const bodyOf = async (request: Request): Promise<AsyncIterable<Uint8Array>> => {
  const isForm = request.headers.get("content-type")?.startsWith("multipart/form-data");
  const body = isForm ? await fileOf(request) : request.body;
  if (!body) throw new AppError("invalid", "There is no file in this request.");
  return body as unknown as AsyncIterable<Uint8Array>;
};

const fileOf = async (request: Request): Promise<ReadableStream<Uint8Array> | null> => {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_FORM) {
    throw new AppError("too_large", "A form may bring 32 MB. Send a larger file as the body of the request.");
  }
  const file = (await request.formData()).get("file");
  return file instanceof Blob ? file.stream() : null;
};
