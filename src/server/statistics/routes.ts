import { Type } from "../schema-types.ts";
import { CONFIRMATIONS } from "../../domain/qso.ts";
import { statistics } from "../../logbook/statistics.ts";
import { tagged } from "../etag.ts";
import { route } from "../route.ts";
import { Count, Ms, only, orNull, SilentStations, Text } from "../shapes.ts";

const share = (name: string, type = Text as import("typebox").TSchema) =>
  Type.Array(only({ [name]: type, total: Count, confirmed: Count }));

export const statisticsRoutes = [
  route(
    {
      method: "GET",
      path: "/api/stats",
      access: "user",
      summary: "The statistics of the caller's log",
      query: only({ station: Type.Optional(Text) }),
      answer: only({
        total: Count,
        entities: Count,
        unknownEntity: Count,
        bands: Count,
        modes: Count,
        callsigns: Count,
        confirmation: only({
          ...Object.fromEntries(CONFIRMATIONS.map((name) => [name, Count])),
          first: Count,
          second: Count,
          card: Count,
          any: Count,
        }),
        byBand: share("band"),
        byMode: share("mode"),
        byGroup: share("group"),
        byYear: share("year", Type.Integer()),
        firstQsoAt: orNull(Ms),
        lastQsoAt: orNull(Ms),
        withoutContacts: SilentStations,
      }),
    },
    (call) => tagged(call, () => statistics(call.app, call.asker, call.query)),
  ),
];
