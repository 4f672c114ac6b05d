import { Type } from "typebox";
import { FILTER_PARAMETERS } from "../../domain/contact/qso-filter.ts";
import { DUPLICATE_KINDS } from "../../domain/jobs/duplicates.ts";
import * as duplicates from "../../logbook/duplicates.ts";
import * as repairs from "../../logbook/repairs.ts";
import { route } from "../http/route.ts";
import {
  Count,
  Cursor,
  fields,
  Id,
  JobShape,
  Limit,
  Ms,
  NextCursor,
  only,
  orNull,
  Short,
  Text,
  words,
} from "../http/shapes.ts";
import { AWARD_IDS } from "../../domain/awards/award.ts";
import { jsonResponse } from "../http/json-response.ts";

const Difference = only({ gained: Type.Array(Text), lost: Type.Array(Text) });

export const PreviewShape = only({
  chosen: Count,
  changed: Count,
  deleted: Count,
  unchanged: Count,
  refused: Type.Array(only({ reason: Text, contacts: Count })),
  examples: Type.Array(
    only({
      qsoId: Id,
      call: Text,
      startedAt: Ms,
      kind: words(["updated", "deleted"] as const),
      diff: Type.Array(only({ field: Text, before: Type.Unknown(), after: Type.Unknown() })),
    }),
  ),
  awards: Type.Array(only({ id: words(AWARD_IDS), label: Text, worked: Difference, confirmed: Difference })),
});

const Filter = only(fields(FILTER_PARAMETERS, Type.Optional(Text)));

const Kind = words(DUPLICATE_KINDS);
const Row = only({
  id: Id,
  call: Text,
  startedAt: Ms,
  endedAt: orNull(Ms),
  band: orNull(Text),
  mode: orNull(Text),
  submode: orNull(Text),
  stationCallsign: orNull(Text),
  firstConfirmed: Type.Boolean(),
  secondConfirmed: Type.Boolean(),
  cardConfirmed: Type.Boolean(),
});

/** A preview is an answer, not the beginning of a job. */
export const previewAnswer = (preview: unknown): Response =>
  jsonResponse(preview, 200, { "cache-control": "no-store" });

export const repairRoutes = [
  route(
    {
      method: "POST",
      path: "/api/repairs",
      access: "user",
      summary: "Change or delete many QSOs as a job, or with dryRun, see what would change",
      body: only({
        filter: Filter,
        set: Type.Optional(Type.Record(Text, Type.Unknown())),
        clear: Type.Optional(Type.Array(Short)),
        shiftMinutes: Type.Optional(Type.Number()),
        byFrequency: Type.Optional(Type.Boolean()),
        ftModes: Type.Optional(Text),
        delete: Type.Optional(Type.Boolean()),
        takeOut: Type.Optional(Text),
        ofJob: Type.Optional(Id),
        dryRun: Type.Optional(Type.Boolean()),
      }),
      answer: Type.Union([only({ job: JobShape }), only({ preview: PreviewShape })]),
      status: 202,
    },
    async ({ app, asker, body: { dryRun, ...wishes } }) =>
      dryRun ? previewAnswer(await repairs.previewRepair(app, asker, wishes)) : repairs.repair(app, asker, wishes),
  ),
  route(
    {
      method: "GET",
      path: "/api/duplicates",
      access: "user",
      summary: "Rows of the log that are one contact, in groups",
      query: only({ kind: Type.Optional(Text), limit: Limit, cursor: Cursor }),
      answer: only({
        groups: Type.Array(only({ kind: Kind, why: Type.Array(Kind), contacts: Type.Array(Row) })),
        kinds: only(fields(DUPLICATE_KINDS, Count)),
        total: Count,
        nextCursor: NextCursor,
      }),
    },
    ({ app, asker, query }) => duplicates.listDuplicates(app, asker, query),
  ),
  route(
    {
      method: "POST",
      path: "/api/duplicates/merge",
      access: "user",
      summary: "Merge duplicates as a job: one group, or all of a kind; with dryRun, see what would change",
      body: only({
        kind: Type.Optional(Text),
        qsoId: Type.Optional(Id),
        dryRun: Type.Optional(Type.Boolean()),
      }),
      answer: Type.Union([only({ job: JobShape }), only({ preview: PreviewShape })]),
      status: 202,
    },
    async ({ app, asker, body: { dryRun, ...wishes } }) =>
      dryRun ? previewAnswer(await duplicates.previewMerge(app, asker, wishes)) : duplicates.merge(app, asker, wishes),
  ),
];
