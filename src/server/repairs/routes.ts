import { Type } from "../schema-types.ts";
import { FILTER_PARAMETERS } from "../../domain/qso-filter.ts";
import * as repairs from "../../logbook/repairs.ts";
import { route } from "../route.ts";
import { Count, Id, JobShape, Ms, only, Short, Text, words } from "../shapes.ts";
import { AWARD_IDS } from "../../domain/award.ts";

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

const Filter = only(Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, Type.Optional(Text)])));

/** A preview is an answer, not the beginning of a job. */
export const previewAnswer = (preview: unknown): Response =>
  Response.json(preview, { status: 200, headers: { "cache-control": "no-store" } });

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
        dryRun: Type.Optional(Type.Boolean()),
      }),
      answer: Type.Union([only({ job: JobShape }), only({ preview: PreviewShape })]),
      status: 202,
    },
    async ({ app, asker, body: { dryRun, ...wishes } }) =>
      dryRun ? previewAnswer(await repairs.previewRepair(app, asker, wishes)) : repairs.repair(app, asker, wishes),
  ),
];
