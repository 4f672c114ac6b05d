import { AWARD_IDS } from "../../domain/awards/award.ts";
import { MODE_GROUPS } from "../../domain/radio/mode.ts";
import { NEED_STATES } from "../../domain/awards/need.ts";
import { need, needs } from "../../logbook/need.ts";
import { route } from "../http/route.ts";
import { Type } from "typebox";
import { Count, Id, Ms, only, orNull, Text, words } from "../http/shapes.ts";

const Words = Type.Optional(Text);
const Asked = only({ call: Text, band: Words, mode: Words });
const State = orNull(words(NEED_STATES));
const Flag = Type.Boolean();

const NeedShape = only({
  call: Text,
  band: orNull(Text),
  mode: orNull(Text),
  group: orNull(words(MODE_GROUPS)),
  entity: orNull(only({ dxcc: Type.Integer(), name: Text })),
  continent: orNull(Text),
  cqZone: orNull(Id),
  ituZone: orNull(Id),
  distanceKm: orNull(Count),
  bearing: orNull(Count),
  place: orNull(only({ lat: Type.Number(), lon: Type.Number() })),
  earlier: orNull(only({ state: orNull(Text), gridsquare: orNull(Text) })),
  worked: only({ count: Count, lastAt: orNull(Ms), onBand: Flag, inMode: Flag, onBandInMode: Flag }),
  confirmed: only({ call: Flag, onBand: Flag, onBandInMode: Flag }),
  awards: Type.Array(
    only({
      award: words(AWARD_IDS),
      label: Text,
      key: Type.Union([Type.Integer(), Text]),
      name: Text,
      state: State,
      onBand: State,
      inGroup: State,
      onBandInGroup: State,
    }),
  ),
});

export const needRoutes = [
  route("GET /api/need", {
    name: "getNeed",
    feedKeys: "lookup",
    summary: "Look up what a callsign would count for",
    query: Asked,
    answer: NeedShape,
    handle: ({ app, asker, query }) => need(app, asker, query),
  }),
  route("POST /api/need", {
    name: "getNeeds",
    feedKeys: "lookup",
    isReading: true,
    summary: "Look up what many callsigns would count for",
    description: "At most 1,000, answered in the same order. An API token with the scope read can do it.",
    body: only({ asked: Type.Array(Asked) }),
    answer: only({ answers: Type.Array(NeedShape) }),
    handle: async ({ app, asker, body }) => ({ answers: await needs(app, asker, body.asked) }),
  }),
];
