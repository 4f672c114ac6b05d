/** @jsxImportSource @kitajs/html */
import type { Static } from "typebox";
import { Type } from "typebox";
import type { App } from "../../app.ts";
import { parseAwardId, type AwardId } from "../../domain/awards/award.ts";
import { computeGridCentre } from "../../domain/radio/maidenhead.ts";
import type { OwnLocation } from "../../domain/radio/own-place.ts";
import { awards, awardSheet } from "../../logbook/awards.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Problem } from "../../../views/form.tsx";
import { loadEntityAreas } from "../../../views/charts/areas.ts";
import { loadLandOutline } from "../../../views/charts/land.ts";
import { AwardPage, SHOWS } from "../../../views/pages/award.tsx";
import { Awards } from "../../../views/pages/awards.tsx";
import { AsOf, only, Text, words } from "../http/shapes.ts";
import { asked } from "../pages/forms.ts";
import { inLabels } from "../pages/refusal-words.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { pageRoute, type PageCall } from "../pages/page-route.ts";

const Words = Type.Optional(Text);
const OverviewQuery = only({ by: Words, station: Words, location: Words, ...AsOf });
const AwardQuery = only({ by: Words, station: Words, location: Words, ...AsOf, band: Words, group: Words });
const LookQuery = only({
  ...AwardQuery.properties,
  view: Type.Optional(words(["list", "map"] as const)),
  show: Type.Optional(words(SHOWS)),
  find: Words,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
});
const AwardParam = only({ id: Text });

/** The data of a world map, and its home location. */
const worldOf = async (app: App, id: AwardId, from: OwnLocation | null) => {
  const places = (await app.callFacts()).places();
  return {
    land: id === "vucc" ? await loadLandOutline() : "",
    areas: id === "vucc" ? new Map<number, string>() : await loadEntityAreas(),
    places,
    home:
      from && (computeGridCentre(from.location) ?? places.find(({ dxcc }) => String(dxcc) === from.location) ?? null),
  };
};

type Question = Static<typeof AwardQuery>;

/** The award in the requested view. If the view is invalid, says so and shows the award without it. */
const looked = async ({ app, watching }: Pick<PageCall, "app" | "watching">, id: AwardId, question: Question) => {
  const asker = watching("Award");
  try {
    return { sheet: await awardSheet(app, asker, id, question), question };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const problem: Problem = { form: "view", message: inLabels(error.message), fields: {}, values: {} };
    return { sheet: await awardSheet(app, asker, id, {}), question: {}, problem };
  }
};

export const awardPages = [
  pageRoute({ path: "/awards", access: "user", query: OverviewQuery }, async ({ app, watching, query }) => {
    const { by = "", station = "", location = "", asOf = "" } = query;
    const document = await awards(app, watching("Awards"), asked(query)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, inLabels(error.message), error);
    });
    return { title: "Awards", body: <Awards {...document} asked={{ by, station, location, asOf }} labels={LABELS} /> };
  }),
  pageRoute({ path: "/awards/:id", access: "user", params: AwardParam, query: LookQuery }, async (call) => {
    const { app, params, query } = call;
    const id = parseAwardId(params.id);
    const { view = "list", show = "needed", find = "", page = 1, ...rest } = asked(query);
    const { sheet, question, problem } = await looked(call, id, rest);
    return {
      title: sheet.award.label,
      status: problem ? 400 : 200,
      body: (
        <AwardPage
          {...sheet}
          world={view === "map" ? await worldOf(app, id, sheet.award.from) : null}
          look={{ view, show, find, page }}
          asked={{ by: "", station: "", location: "", band: "", group: "", asOf: "", ...question }}
          labels={LABELS}
          problem={problem}
        />
      ),
    };
  }),
];
