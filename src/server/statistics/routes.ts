import { Type, type TSchema } from "typebox";
import { CONFIRMATIONS } from "../../domain/contact/qso.ts";
import { statistics } from "../../logbook/statistics.ts";
import { route } from "../http/route.ts";
import { CURVE_NAMES } from "../../domain/statistics/log-figures.ts";
import { byService } from "../../domain/jobs/source.ts";
import { figure } from "../../logbook/figures.ts";
import { AsOf, Count, fields, Id, Ms, OfPast, only, orNull, SilentStations, Text, words } from "../http/shapes.ts";

const share = <Name extends string, Value extends TSchema>(name: Name, value: Value) =>
  Type.Array(only({ ...fields([name], value), total: Count, confirmed: Count }));

const Counts = only({
  ...OfPast,
  columns: Type.Array(Text),
  rows: Type.Array(only({ name: Text, counts: Type.Array(Count) })),
});
const Curve = only({
  ...OfPast,
  months: Type.Array(Text),
  lines: Type.Array(only({ name: words(CURVE_NAMES), worked: Type.Array(Count), confirmed: Type.Array(Count) })),
});
const Confirmations = only({
  ...OfPast,
  rows: Type.Array(
    only({
      of: words(["all", "band", "year"] as const),
      name: Text,
      total: Count,
      ...byService(() => Count),
      card: Count,
      firstDays: orNull(Count),
      secondDays: orNull(Count),
    }),
  ),
});
const Furthest = only({
  ...OfPast,
  rows: Type.Array(only({ band: Text, km: Count, qsoId: Id, call: Text, gridsquare: Text })),
});
const WorldMap = only({
  ...OfPast,
  home: orNull(only({ lat: Type.Number(), lon: Type.Number(), grid: Text })),
  entities: Type.Array(only({ dxcc: Count, total: Count, confirmed: Count })),
});

export const statisticsRoutes = [
  route("GET /api/stats", {
    name: "getStatistics",
    hasEtag: true,
    summary: "Get the statistics of the log",
    query: only({ station: Type.Optional(Text), ...AsOf }),
    answer: only({
      total: Count,
      entities: Count,
      unknownEntity: Count,
      bands: Count,
      modes: Count,
      callsigns: Count,
      confirmation: only({
        ...fields(CONFIRMATIONS, Count),
        first: Count,
        second: Count,
        card: Count,
        any: Count,
      }),
      byBand: share("band", Text),
      byMode: share("mode", Text),
      byGroup: share("group", Text),
      byYear: share("year", Type.Integer()),
      firstQsoAt: orNull(Ms),
      lastQsoAt: orNull(Ms),
      withoutContacts: SilentStations,
      ...OfPast,
    }),
    handle: ({ app, asker, query }) => statistics(app, asker, query),
  }),
  route("GET /api/stats/:figure", {
    name: "getFigure",
    hasEtag: true,
    summary: "Get one figure of the log or of a search",
    description: "`figure` is `calendar`, `hours`, `bands`, `modes`, `curve`, `confirmations`, `furthest` or `map`.",
    params: only({ figure: Text }),
    query: only({ search: Type.Optional(Text), ...AsOf }),
    answer: Type.Union([Counts, Curve, Confirmations, Furthest, WorldMap]),
    handle: ({ app, asker, params, query }) => figure(app, asker, params.figure, query),
  }),
];
