import { formatCards } from "../../domain/awards/card-words.ts";
import { Type } from "typebox";
import { WITNESSES, byWitness } from "../../domain/awards/award.ts";
import * as awards from "../../logbook/awards.ts";
import { route } from "../http/route.ts";
import {
  AsOf,
  Count,
  Id,
  Ms,
  Named,
  OfPast,
  only,
  orNull,
  SilentStations,
  SourceWord,
  Text,
  words,
} from "../http/shapes.ts";

const Flag = Type.Boolean();
const Key = Type.Union([Type.Integer(), Text]);
const textOrNull = orNull(Text);

const Asked = {
  by: Type.Optional(Text),
  station: Type.Optional(Text),
  location: Type.Optional(Text),
  ...AsOf,
};
const Narrowed = { ...Asked, band: Type.Optional(Text), group: Type.Optional(Text) };

const Place = only({ location: Text, label: Text, contacts: Count });
const Locations = Type.Array(Place);

const progress = {
  id: Text,
  label: Text,
  from: orNull(Place),
  unit: Text,
  sponsor: Text,
  accepts: Type.Array(words(WITNESSES)),
  goal: orNull(Count),
  next: orNull(Count),
  worked: Count,
  confirmed: Count,
  confirmedBy: only({ ...byWitness(() => Count), any: Count }),
  credited: Count,
  modeUnknown: orNull(Count),
  of: textOrNull,
};
const view = {
  band: textOrNull,
  group: textOrNull,
  by: Text,
  station: textOrNull,
  location: textOrNull,
  withoutContacts: SilentStations,
  ...OfPast,
};
const slotName = { key: Key, label: Text, band: textOrNull, group: textOrNull };

const Detail = only({
  ...progress,
  ...view,
  locations: Locations,
  madeFrom: only({ ownDxcc: Type.Optional(Text), ownGrid: Type.Optional(Text) }),
  parts: Type.Array(only({ name: Text, goal: orNull(Count), worked: Count, confirmed: Count })),
  slots: Type.Array(
    only({
      ...slotName,
      worked: Flag,
      confirmed: Flag,
      confirmedBy: only({ ...byWitness(() => Flag), any: Flag }),
      credited: Flag,
      qsoId: Id,
    }),
  ),
  uncounted: orNull(only({ unknownEntity: Count, notValid: Count })),
});

const NeededShape = only({
  ...view,
  id: Text,
  label: Text,
  modeUnknown: orNull(Count),
  /** False if the slots cannot be listed: prefixes, squares, islands. */
  complete: Flag,
  neverWorked: Type.Array(only(slotName)),
  notConfirmed: Type.Array(only({ ...slotName, confirmedElsewhere: Type.Array(words(WITNESSES)), qsoId: Id })),
});

const CellShape = orNull(words(["confirmed", "worked"] as const));
const MatrixShape = only({
  ...view,
  id: Text,
  label: Text,
  modeUnknown: orNull(Count),
  bands: Type.Array(Text),
  rows: Type.Array(only({ key: Key, label: Text, mixed: CellShape, cells: Type.Array(CellShape) })),
  totals: Type.Array(only({ worked: Count, confirmed: Count })),
});

const AwardParam = only({ id: Text });

const Places = only({
  entities: Type.Array(only({ key: Type.Integer(), label: Text })),
  bands: Type.Array(Text),
  states: Type.Array(Text),
  zones: Type.Array(Type.Integer()),
  grids: Type.Array(Text),
});

export const awardRoutes = [
  route("GET /api/awards", {
    name: "listAwards",
    hasEtag: true,
    summary: "List your progress in every award",
    query: only(Asked),
    answer: only({
      awards: Type.Array(only(progress)),
      locations: Locations,
      withoutContacts: SilentStations,
      ...OfPast,
    }),
    handle: ({ app, asker, query }) => awards.awards(app, asker, query),
  }),
  route("GET /api/awards/:id", {
    name: "getAward",
    hasEtag: true,
    summary: "Get an award with its slots",
    params: AwardParam,
    query: only(Narrowed),
    answer: Detail,
    handle: ({ app, asker, params, query }) => awards.award(app, asker, params.id, query),
  }),
  route("GET /api/awards/:id/needed", {
    name: "getNeeded",
    hasEtag: true,
    summary: "Get what is missing for an award",
    description: "What was never worked, and what is not confirmed. `complete` is false if nobody can list all slots.",
    params: AwardParam,
    query: only(Narrowed),
    answer: NeededShape,
    handle: ({ app, asker, params, query }) => awards.needed(app, asker, params.id, query),
  }),
  route("GET /api/awards/:id/cards", {
    name: "getCards",
    summary: "Get the confirmations to submit for an award",
    description:
      "For each slot that is confirmed and not granted, a contact and the confirmation that the sponsor accepts. `format` is `json`, `text` or `csv`.",
    params: AwardParam,
    query: only({
      band: Narrowed.band,
      group: Narrowed.group,
      station: Narrowed.station,
      location: Narrowed.location,
      ...AsOf,
      format: Type.Optional(Text),
    }),
    files: ["text/plain", "text/csv"],
    answer: only({
      ...OfPast,
      id: Text,
      label: Text,
      cards: Type.Array(
        only({
          slot: Text,
          by: words(WITNESSES),
          ...Named,
        }),
      ),
    }),
    async handle({ app, asker, params, query: { format = "json", ...asked } }) {
      const document = await awards.cards(app, asker, params.id, asked);
      if (format === "json") return document;
      const { text, type } = formatCards(format, document);
      return new Response(text, { headers: { "content-type": type, "cache-control": "no-store" } });
    },
  }),
  route("GET /api/awards/:id/matrix", {
    name: "getMatrix",
    hasEtag: true,
    summary: "Get an award by band",
    description: "Each cell is `confirmed`, `worked` or null. The first of the totals is mixed.",
    params: AwardParam,
    query: only({ ...Asked, group: Narrowed.group }),
    answer: MatrixShape,
    handle: ({ app, asker, params, query }) => awards.matrix(app, asker, params.id, query),
  }),
  route("GET /api/news", {
    name: "listNews",
    summary: "List what jobs newly worked and confirmed",
    description: "Of the last 30 days, unless `since` is given. Newest first.",
    query: only({ since: Type.Optional(Text) }),
    answer: only({
      since: Ms,
      jobs: Type.Array(only({ jobId: Id, source: SourceWord, finishedAt: Ms, worked: Places, confirmed: Places })),
    }),
    handle: ({ app, asker, query }) => awards.newsSince(app, asker, query.since),
  }),
];
