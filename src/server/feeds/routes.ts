import { FEED_OUTCOMES } from "../../domain/jobs/feed.ts";
import { feed } from "../../logbook/feeds.ts";
import { route } from "../http/route.ts";
import { Type } from "typebox";
import { Id, Ms, only, orNull, Text, words } from "../http/shapes.ts";

const ToldShape = only({
  kind: words(["contact", "edit", "delete"] as const),
  name: Type.Optional(Text),
  fields: Type.Optional(Type.Record(Text, Text)),
});

const TakenShape = only({
  outcome: words(FEED_OUTCOMES),
  reason: orNull(Text),
  qsoId: orNull(Id),
  call: orNull(Text),
  startedAt: orNull(Ms),
  band: orNull(Text),
  mode: orNull(Text),
  stationCallsign: orNull(Text),
  entity: orNull(Text),
  news: Type.Array(Text),
});

export const feedRoutes = [
  route("POST /api/feed", {
    name: "feed",
    feedKeys: "feed",
    summary: "Send contacts from a logging program",
    description: "Answers in the same order. Sending the same contact twice changes nothing.",
    body: only({ client: Text, told: Type.Array(ToldShape), dryRun: Type.Optional(Type.Boolean()) }),
    answer: only({ jobId: orNull(Id), taken: Type.Array(TakenShape) }),
    handle: ({ app, asker, body }) => feed(app, asker, body),
  }),
];
