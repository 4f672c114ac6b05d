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
import { jsonResponse } from "../http/response.ts";

const Difference = only({ gained: Type.Array(Text), lost: Type.Array(Text) });

const PreviewShape = only({
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

/** A preview starts no job, so its status is 200. */
const previewAnswer = (preview: unknown): Response => jsonResponse(preview, 200, { "cache-control": "no-store" });

export const repairRoutes = [
  route("POST /api/repairs", {
    name: "startRepair",
    summary: "Change or delete many QSOs as a job",
    description: "With `dryRun` answers 200 with a preview and starts nothing.",
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
    answer: only({ job: JobShape }),
    preview: only({ preview: PreviewShape }),
    status: 202,
    handle: async ({ app, asker, body: { dryRun, ...request } }) =>
      dryRun ? previewAnswer(await repairs.previewRepair(app, asker, request)) : repairs.repair(app, asker, request),
  }),
  route("GET /api/duplicates", {
    name: "listDuplicates",
    summary: "List duplicate QSOs in groups",
    description: "The first QSO of a group is the one that the others are merged into.",
    query: only({ kind: Type.Optional(Text), limit: Limit, cursor: Cursor }),
    answer: only({
      groups: Type.Array(only({ kind: Kind, why: Type.Array(Kind), contacts: Type.Array(Row) })),
      kinds: only(fields(DUPLICATE_KINDS, Count)),
      total: Count,
      nextCursor: NextCursor,
    }),
    handle: ({ app, asker, query }) => duplicates.listDuplicates(app, asker, query),
  }),
  route("POST /api/duplicates/merge", {
    name: "mergeDuplicates",
    summary: "Merge duplicate QSOs as a job",
    description:
      "Give either `qsoId` for its group or `kind` for all groups of a kind. With `dryRun` answers 200 with a preview and starts nothing.",
    body: only({
      kind: Type.Optional(Text),
      qsoId: Type.Optional(Id),
      dryRun: Type.Optional(Type.Boolean()),
    }),
    answer: only({ job: JobShape }),
    preview: only({ preview: PreviewShape }),
    status: 202,
    handle: async ({ app, asker, body: { dryRun, ...request } }) =>
      dryRun
        ? previewAnswer(await duplicates.previewMerge(app, asker, request))
        : duplicates.merge(app, asker, request),
  }),
];
