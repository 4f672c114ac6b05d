/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import { parseAwardId, type AwardId } from "../../domain/awards/award.ts";
import type { EntityPlace } from "../../domain/radio/call-facts.ts";
import { computeGridCentre, type Place } from "../../domain/radio/maidenhead.ts";
import type { OwnLocation } from "../../domain/radio/own-place.ts";
import { awards, awardSheet } from "../../logbook/awards.ts";
import { AppError } from "../../kernel/errors.ts";
import { loadInsetMap, loadWorldMap } from "../../../views/charts/areas.ts";
import { loadLandOutline } from "../../../views/charts/land.ts";
import { hasMap } from "../../../views/pages/award-maps.tsx";
import { SHOWS } from "../../../views/texts/awards.ts";
import { nameAward, type World } from "../../../views/pages/award-view.ts";
import { AwardPage } from "../../../views/pages/award.tsx";
import { Awards } from "../../../views/pages/awards.tsx";
import { AsOf, only, Text, words } from "../http/shapes.ts";
import { asked } from "../pages/forms.ts";
import { inLabels, problemOfQuestion } from "../pages/refusal-words.ts";
import { pageRoute, type PageCall } from "../pages/page-route.ts";
import { AWARD_TEXTS } from "../../../views/texts/awards.ts";

const Words = Type.Optional(Text);
const OverviewQuery = only({ by: Words, station: Words, location: Words, ...AsOf });
const AwardQuery = only({ by: Words, station: Words, location: Words, ...AsOf, band: Words, group: Words });
const LookQuery = only({
  ...AwardQuery.properties,
  view: Type.Optional(words(["list", "map"] as const)),
  show: Type.Optional(words(SHOWS)),
  find: Words,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  table: Type.Optional(words(["map"] as const)),
});
const AwardParam = only({ id: Text });

const INSETS = ["europe", "caribbean"] as const;

/** What a map of the world is drawn with. */
const drawWorld = async (id: AwardId, home: Place | null): Promise<World> =>
  id === "vucc"
    ? { land: await loadLandOutline() }
    : {
        map: await loadWorldMap(home?.lon ?? 0),
        insets: await Promise.all(INSETS.map(async (name) => [name, await loadInsetMap(name)] as const)),
      };

const findHome = (from: OwnLocation | null, places: readonly EntityPlace[]): Place | null =>
  from && (computeGridCentre(from.location) ?? places.find(({ dxcc }) => String(dxcc) === from.location) ?? null);

type Question = Static<typeof AwardQuery>;

/** The award as it is asked for; a view that makes no sense is told, and the whole is shown. */
const looked = async (
  { app, watching }: Pick<PageCall, "app" | "watching">,
  id: AwardId,
  question: Question,
  withContacts: boolean,
) => {
  const asker = watching(AWARD_TEXTS.overview.award);
  try {
    return { sheet: await awardSheet(app, asker, id, { ...question, withContacts }), question };
  } catch (error) {
    const problem = problemOfQuestion("view", error);
    return { sheet: await awardSheet(app, asker, id, { withContacts }), question: {}, problem };
  }
};

export const awardPages = [
  pageRoute("/awards", {
    query: OverviewQuery,
    async page({ app, watching, query }) {
      const { by = "", station = "", location = "", asOf = "" } = query;
      const document = await awards(app, watching(AWARD_TEXTS.overview.title), asked(query)).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        throw new AppError(error.code, inLabels(error.message), error);
      });
      return {
        title: AWARD_TEXTS.overview.title,
        body: <Awards {...document} asked={{ by, station, location, asOf }} />,
      };
    },
  }),
  pageRoute("/awards/:id", {
    params: AwardParam,
    query: LookQuery,
    async page(call) {
      const { app, params, query } = call;
      const id = parseAwardId(params.id);
      const { view = "list", show = "worked", find = "", page = 1, table, ...rest } = asked(query);
      const { sheet, question, problem } = await looked(call, id, rest, view === "list" && show === "worked");
      const places = (await app.callFacts()).places();
      const home = findHome(sheet.award.from, places);
      const shown = {
        ...sheet,
        places,
        home,
        look: { view, show, find, page, isTable: table !== undefined },
        asked: { by: "", station: "", location: "", band: "", group: "", asOf: "", ...question },
        now: app.clock(),
      };
      const world = view === "map" && hasMap(id) && !id.startsWith("was") ? await drawWorld(id, home) : null;
      return {
        title: nameAward(shown).join(" "),
        status: problem ? 400 : 200,
        body: <AwardPage {...shown} world={world} problem={problem} />,
      };
    },
  }),
];
