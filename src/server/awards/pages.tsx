/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import type { Static } from "typebox";
import { Type } from "../schema-types.ts";
import type { App } from "../../app.ts";
import { awardId, type AwardId } from "../../domain/award.ts";
import { awards, awardSheet } from "../../logbook/awards.ts";
import { AppError } from "../../domain/errors.ts";
import type { Problem } from "../../../views/form.tsx";
import { landOutline } from "../../../views/charts/land.ts";
import { AwardPage } from "../../../views/pages/award.tsx";
import { Awards } from "../../../views/pages/awards.tsx";
import { only, Text } from "../shapes.ts";
import { asked } from "../forms.ts";
import { inLabels } from "../refusal-words.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { pageRoute, type PageCall } from "../page-route.ts";

const Words = Type.Optional(Text);
const OverviewQuery = only({ by: Words, station: Words, location: Words });
const AwardQuery = only({ by: Words, station: Words, location: Words, band: Words, group: Words });
const AwardParam = only({ id: Text });

/** What a map of the world shows. */
const MAPPED: readonly AwardId[] = ["dxcc", "dxcc-honor", "vucc"];

const worldOf = async (app: App, id: AwardId) => {
  if (!MAPPED.includes(id)) return null;
  return { land: await landOutline(), places: id === "vucc" ? [] : (await app.callFacts()).places() };
};

type Question = Static<typeof AwardQuery>;

/** The award as it is asked for; a view that makes no sense is told, and the whole is shown. */
const looked = async ({ app, asker }: Pick<PageCall, "app" | "asker">, id: AwardId, question: Question) => {
  try {
    return { sheet: await awardSheet(app, asker, id, question), question };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    const problem: Problem = { form: "view", message: inLabels(error.message), fields: {}, values: {} };
    return { sheet: await awardSheet(app, asker, id, {}), question: {}, problem };
  }
};

export const awardPages = [
  pageRoute({ path: "/awards", access: "user", query: OverviewQuery }, async ({ app, asker, query }) => {
    const { by = "", station = "", location = "" } = query;
    const document = await awards(app, asker, asked(query)).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, inLabels(error.message), error);
    });
    return { title: "Awards", body: <Awards {...document} asked={{ by, station, location }} labels={LABELS} /> };
  }),
  pageRoute({ path: "/awards/:id", access: "user", params: AwardParam, query: AwardQuery }, async (call) => {
    const { app, params, query } = call;
    const id = awardId(params.id);
    const { sheet, question, problem } = await looked(call, id, asked(query));
    return {
      title: sheet.award.label,
      status: problem ? 400 : 200,
      body: (
        <AwardPage
          {...sheet}
          world={await worldOf(app, id)}
          asked={{ by: "", station: "", location: "", band: "", group: "", ...question }}
          labels={LABELS}
          problem={problem}
        />
      ),
    };
  }),
];
