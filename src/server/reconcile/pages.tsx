/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { RECONCILE_CLASSES } from "../../domain/jobs/reconcile.ts";
import { reconcile, settleAsSaid } from "../../logbook/reconcile.ts";
import type { Outcome } from "../../../views/form.tsx";
import { Reconcile } from "../../../views/pages/reconcile.tsx";
import { asked, queryOf } from "../pages/forms.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { Cursor, Id, only, Text } from "../http/shapes.ts";
import { REPAIR_TEXTS } from "../../../views/texts/repair.ts";

const Query = only({ class: Type.Optional(Text), cursor: Cursor });

type ReconcileCall = Pick<PageCall, "app" | "watching" | "query">;

const reconcilePage = async ({ app, watching, query }: ReconcileCall, { problem }: Outcome) => {
  const question = asked(query as { class?: string; cursor?: string });
  const { nextCursor, ...found } = await reconcile(app, watching(REPAIR_TEXTS.compare.pageTitle), question);
  return {
    title: REPAIR_TEXTS.compare.pageTitle,
    body: (
      <Reconcile
        {...found}
        shown={RECONCILE_CLASSES.find((name) => name === question.class)}
        here={queryOf(question)}
        next={nextCursor && queryOf({ class: question.class, cursor: nextCursor })}
        problem={problem}
      />
    ),
  };
};

export const reconcilePages = [
  pageRoute("/reconcile", { query: Query, page: reconcilePage }),
  formRoute("/reconcile", {
    query: Query,
    form: "settle",
    fields: only({ leftover: Id, act: Text }),
    async submit({ app, asker }, { leftover: id, act }) {
      const { job } = await settleAsSaid(app, asker, id, act);
      return { goto: `/jobs/${job.id}` };
    },
    page: reconcilePage,
  }),
];
