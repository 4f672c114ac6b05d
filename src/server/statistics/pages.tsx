/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import type { Figures } from "../../domain/statistics/log-figures.ts";
import type { FigureParameters } from "../../logbook/contract.ts";
import { allFigures, checkFigures } from "../../logbook/figures.ts";
import { drawLandFrom } from "../../../views/charts/land.ts";
import { drawCharts, Selection, TABLES } from "../../../views/pages/statistics.tsx";
import { asked } from "../pages/forms.ts";
import { pageRoute, type PageCall } from "../pages/page-route.ts";
import { problemOfQuestion } from "../pages/refusal-words.ts";
import { AsOf, only, Text, words } from "../http/shapes.ts";
import { STATISTICS_TEXTS } from "../../../views/texts/statistics.ts";

const Query = only({ search: Type.Optional(Text), ...AsOf, table: Type.Optional(words(TABLES)) });

const mapOf = async ({ app }: Pick<PageCall, "app">, { home, entities }: Figures["map"]) => {
  if (home === null) return null;
  const places = new Map((await app.callFacts()).places().map((place) => [place.dxcc, place]));
  return {
    land: await drawLandFrom(home),
    places: entities.flatMap(({ dxcc, total, confirmed }) => {
      const place = places.get(dxcc);
      return place ? [{ ...place, total, confirmed }] : [];
    }),
  };
};

/** Refuses an invalid selection before anything is counted. The page then shows the whole log. */
const checked = async ({ app, asker }: PageCall, question: FigureParameters) => {
  try {
    return { question, past: await checkFigures(app, asker, question) };
  } catch (error) {
    return { question: {}, problem: problemOfQuestion("select", error) };
  }
};

export const statisticsPages = [
  pageRoute("/statistics", {
    query: Query,
    async page(call) {
      const { search = "", asOf = "", table } = call.query;
      const { question, past, problem } = await checked(call, asked({ search, asOf }));
      const charts = async () => {
        const figures = await allFigures(call.app, past ? call.watching(STATISTICS_TEXTS.title) : call.asker, question);
        const map = await mapOf(call, figures.map);
        const now = call.app.clock();
        return drawCharts({ search, asOf, figures, map, now, table }, call.app.turn);
      };
      const selection = <Selection search={search} asOf={asOf} past={past} problem={problem} />;
      const page = { title: STATISTICS_TEXTS.title, status: problem ? 400 : 200 };
      // A past log may have to be built first. The page shows the progress.
      return past
        ? { ...page, body: String(selection) + (await charts()) }
        : { ...page, body: selection, rest: charts };
    },
  }),
];
