import { Type } from "typebox";
import { AWARD_IDS } from "../../domain/awards/award.ts";
import { COMPARED, RECONCILE_CLASSES, SETTLEMENTS } from "../../domain/jobs/reconcile.ts";
import { byService } from "../../domain/jobs/source.ts";
import * as reconciling from "../../logbook/reconcile.ts";
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
  Named,
  only,
  orNull,
  ServiceWord,
  Text,
  words,
} from "../http/shapes.ts";

const Value = orNull(Type.Union([Text, Type.Number()]));
const At = Type.Array(ServiceWord);
const Difference = only({
  field: words(COMPARED),
  here: Value,
  ...byService(() => Value),
  counts: orNull(only({ awards: Type.Array(words(AWARD_IDS)), by: words(["own", "first"] as const), value: Value })),
});

export const reconcileRoutes = [
  route("GET /api/reconcile", {
    name: "reconcile",
    summary: "Compare the log with both services",
    description: "`counts` has all eight classes; `class` asks for the contacts or records of one.",
    query: only({ class: Type.Optional(Text), limit: Limit, cursor: Cursor }),
    answer: only({
      counts: only(fields(RECONCILE_CLASSES, Count)),
      contacts: Type.Array(
        only({
          ...Named,
          at: At,
          differences: Type.Array(Difference),
          fileOnly: At,
          otherCall: only(byService(() => orNull(Text))),
        }),
      ),
      deleted: Type.Array(only({ id: Id, call: Text, startedAt: Ms, band: orNull(Text), at: At })),
      leftovers: Type.Array(
        only({
          id: Id,
          jobId: Id,
          source: ServiceWord,
          kind: words(["unmatched", "rejected"] as const),
          reason: Text,
          record: Type.Record(Text, Text),
          candidates: Type.Array(only(Named)),
        }),
      ),
      nextCursor: NextCursor,
    }),
    handle: ({ app, asker, query }) => reconciling.reconcile(app, asker, query),
  }),
  route("POST /api/reconcile/settle", {
    name: "settleLeftovers",
    summary: "Match, add or dismiss records that were left over",
    description: "To match, each record needs a `qsoId`.",
    body: only({
      act: words(SETTLEMENTS),
      leftovers: Type.Array(only({ id: Id, qsoId: Type.Optional(Id) }), { maxItems: 500 }),
    }),
    answer: only({ job: JobShape }),
    status: 202,
    handle: ({ app, asker, body }) => reconciling.settle(app, asker, body),
  }),
];
