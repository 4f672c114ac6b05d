/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import { Type } from "../schema-types.ts";
import type { App } from "../../app.ts";
import { awardId, hasMatrix, type AwardId } from "../../domain/award.ts";
import { AppError } from "../../domain/errors.ts";
import type { Problem } from "../../../views/form.tsx";
import { landOutline } from "../../../views/charts/land.ts";
import { AwardPage } from "../../../views/pages/award.tsx";
import { Awards } from "../../../views/pages/awards.tsx";
import { only, Text } from "../shapes.ts";
import { labelsOf } from "../dashboard/pages.tsx";
import { pageRoute } from "../page-route.ts";

const Words = Type.Optional(Type.String({ maxLength: 200 }));
const OverviewQuery = only({ by: Words, station: Words });
const AwardQuery = only({ by: Words, station: Words, band: Words, group: Words });
const AwardParam = only({ id: Text });

/** What a map of the world shows. */
const MAPPED: readonly AwardId[] = ["dxcc", "dxcc-honor", "vucc"];

const worldOf = async (app: App, id: AwardId) => {
  if (!MAPPED.includes(id)) return null;
  return { land: await landOutline(), places: id === "vucc" ? [] : (await app.callFacts()).places() };
};

type Asked = Record<"by" | "station" | "band" | "group", string>;

const EVERYTHING: Asked = { by: "", station: "", band: "", group: "" };

/** The award as it is asked for; a view that makes no sense is told, and the whole is shown. */
const looked = async ({ awards }: App, userId: number, id: AwardId, asked: Asked) => {
  try {
    return { award: await awards.detail(userId, id, asked), asked, problem: undefined };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const problem: Problem = { form: "view", message: error.message, fields: {}, values: {} };
    return { award: await awards.detail(userId, id, EVERYTHING), asked: EVERYTHING, problem };
  }
};

export const awardPages = [
  pageRoute({ path: "/awards", access: "user", query: OverviewQuery }, async ({ app, caller, query }) => {
    const { by = "", station = "" } = query;
    const awards = await app.awards.overview(caller.user.id, { by, station });
    return { title: "Awards", body: <Awards awards={awards} asked={{ by, station }} labels={labelsOf(app)} /> };
  }),
  pageRoute(
    { path: "/awards/:id", access: "user", params: AwardParam, query: AwardQuery },
    async ({ app, caller, params, query }) => {
      const { by = "", station = "", band = "", group = "" } = query;
      const id = awardId(params.id);
      const { award, asked, problem } = await looked(app, caller.user.id, id, { by, station, band, group });
      const needed = await app.awards.needed(caller.user.id, id, asked);
      const matrix =
        award.band === null && hasMatrix(award) ? await app.awards.matrix(caller.user.id, id, asked) : null;
      return {
        title: award.label,
        status: problem ? 400 : 200,
        body: (
          <AwardPage
            award={award}
            matrix={matrix}
            needed={needed}
            world={await worldOf(app, id)}
            asked={asked}
            labels={labelsOf(app)}
            problem={problem}
          />
        ),
      };
    },
  ),
];
