import type { TSchema } from "typebox";
import { formatIsoDate } from "../../kernel/instant.ts";
import { Type } from "typebox";
import { getField, listFieldsWith, PLAIN_NAMES, type Holds } from "../../domain/contact/fields.ts";
import { FILTER_PARAMETERS } from "../../domain/contact/qso-filter.ts";
import { CONFIRMATIONS } from "../../domain/contact/qso.ts";
import { byService } from "../../domain/jobs/source.ts";

import { SPEAKERS } from "../../domain/contact/why.ts";
import { why } from "../../logbook/why.ts";
import * as contacts from "../../logbook/contacts.ts";
import { route } from "../http/route.ts";
import { streamOf } from "../http/response.ts";
import { importUpload } from "./upload.ts";
import {
  AsOf,
  Count,
  fields,
  Id,
  IdParam,
  JobShape,
  Ms,
  NextCursor,
  OfPast,
  only,
  orNull,
  SilentStations,
  SourceWord,
  Text,
  words,
  WrittenLimit,
} from "../http/shapes.ts";

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

const QSO = {
  id: Id,
  ...Object.fromEntries(PLAIN_NAMES.map((name) => [name, shapeOf(getField(name).holds)])),
  entity: textOrNull,
  confirmation: words(CONFIRMATIONS),
  card: only({ confirmed: Type.Boolean() }),
  own: only({ ...origin, typed: Type.Record(Text, Text) }),
  ...byService(() => orNull(only(origin))),
  extra: Type.Record(Text, Text),
  createdAt: Ms,
  updatedAt: Ms,
};

const QsoShape = only(QSO, { title: "Qso" });

const Words = Type.Optional(Text);
const filters = fields(FILTER_PARAMETERS, Words);
const Listing = only({ ...filters, ...AsOf, sort: Words, limit: WrittenLimit, cursor: Words, before: Words });

const typedFields = {
  ...fields(listFieldsWith("typed"), Type.Optional(Type.Union([Text, Type.Number(), Type.Null()]))),
  extra: Type.Optional(Type.Record(Text, orNull(Text))),
};
const seen = Type.Optional(Type.Record(Text, Type.Unknown()));
/** Checked field by field later, so that every problem is reported. */
const checkedLater = (described: Record<string, TSchema>) =>
  Type.Record(Text, Type.Unknown(), { documentedAs: only(described) });

export const contactRoutes = [
  route("GET /api/qsos", {
    name: "listQsos",
    hasEtag: true,
    summary: "List QSOs, filtered, sorted and in pages",
    description: "`cursor` takes a `nextCursor`, `before` a `previousCursor`.",
    query: Listing,
    answer: only({
      qsos: Type.Array(QsoShape),
      total: Count,
      nextCursor: NextCursor,
      previousCursor: NextCursor,
      withoutContacts: SilentStations,
      ...OfPast,
    }),
    handle: ({ app, asker, query }) => contacts.listContacts(app, asker, query),
  }),
  route("POST /api/qsos", {
    name: "addQso",
    summary: "Add a QSO",
    description: "Needs `call`, `startedAt`, `band` or `freqHz`, and `mode`.",
    body: checkedLater(typedFields),
    answer: QsoShape,
    status: 201,
    handle: ({ app, asker, body }) => contacts.addContact(app, asker, body),
  }),
  route("GET /api/qsos/export", {
    name: "exportQsos",
    summary: "Export QSOs as a file",
    description:
      "Streamed, oldest first. `format` is `adi` (the default), `adx`, `csv`, `jsonl`, or `cabrillo` (3.0) of one `contest`; `columns` chooses the columns of CSV and JSON lines.",
    query: only({ ...filters, ...AsOf, format: Words, columns: Words }),
    files: ["text/x-adif", "application/xml", "text/csv", "application/jsonl", "text/plain"],
    async handle({ app, asker, query }) {
      const { pieces, type, extension } = await contacts.exportContacts(app, asker, query);
      const name = `${asker.owner.username}-${formatIsoDate(app.clock())}.${extension}`;
      return new Response(streamOf(pieces), {
        headers: {
          "content-type": type,
          "content-disposition": `attachment; filename="${name}"`,
          "cache-control": "no-store",
        },
      });
    },
  }),
  route("POST /api/qsos/import", {
    name: "importQsos",
    summary: "Import an ADIF file",
    description:
      "The file is the body, or `file` of a multipart form: `.adi` or `.adx`, either compressed by gzip. Anything else is refused with the name of what it is.",
    rawBody: true,
    query: only({ dryRun: Type.Optional(Type.Boolean()) }),
    answer: only({ job: JobShape }),
    status: 201,
    handle: ({ app, asker, query, request }) => importUpload(app, asker, request, query),
  }),
  route("GET /api/qsos/:id", {
    name: "getQso",
    hasEtag: true,
    summary: "Get a QSO with the records of each origin",
    params: IdParam,
    query: only({ ...AsOf }),
    answer: only({ ...QSO, ...OfPast }),
    handle: ({ app, asker, params, query }) => contacts.contact(app, asker, params.id, query),
  }),
  route("GET /api/qsos/:id/why", {
    name: "explainQso",
    summary: "Explain where each value of a QSO comes from",
    description:
      "`by` is `typed`, `file`, `first`, `second` or `derived`. What was typed has no job. `entityRule` says how the callsign decided the entity; null if a record says it.",
    params: IdParam,
    answer: only({
      fields: Type.Array(
        only({
          field: Text,
          value: Type.Unknown(),
          by: words(SPEAKERS),
          jobId: orNull(Id),
          source: orNull(SourceWord),
          at: orNull(Ms),
        }),
      ),
      entityRule: orNull(Text),
      since: orNull(Ms),
    }),
    handle: ({ app, asker, params }) => why(app, asker, params.id),
  }),
  route("PATCH /api/qsos/:id", {
    name: "updateQso",
    summary: "Change a QSO",
    description:
      "Null takes back what was typed. `seen`, an object with values that you read, refuses to overwrite what changed since.",
    params: IdParam,
    body: checkedLater({ ...typedFields, seen }),
    answer: QsoShape,
    handle: ({ app, asker, params, body }) => contacts.editContact(app, asker, params.id, body),
  }),
  route("DELETE /api/qsos/:id", {
    name: "deleteQso",
    summary: "Delete a QSO",
    description: "No service adds it again.",
    params: IdParam,
    handle: ({ app, asker, params }) => contacts.deleteContact(app, asker, params.id),
  }),
];
