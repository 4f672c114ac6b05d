/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import { dashboard, type DashboardDocument, type DashboardParameters } from "../../logbook/dashboard.ts";
import { sync } from "../../logbook/job-actions.ts";
import { LogCharts } from "../../../views/charts/log-charts.tsx";
import type { Outcome } from "../../../views/form.tsx";
import { Dashboard, Part } from "../../../views/pages/dashboard.tsx";
import { Glance } from "../../../views/partials/glance.tsx";
import { Board, Now } from "../../../views/partials/board.tsx";
import { connectService } from "../../logbook/connect.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { Id, only, ServiceParam } from "../http/shapes.ts";
import { lastVisit } from "./last-visit.ts";
import { TEXTS } from "../../../views/texts/shared.ts";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
/** The list stays the same while somebody reads it. */
const BoardQuery = only({
  upTo: Type.Optional(Id),
  openedAt: Type.Optional(Id),
  wasEmpty: Type.Optional(Type.Boolean()),
});
const Ticked = Type.Optional(Type.Literal("on"));

/** Rendered once per object: the activity stays the same object until the log changes. */
const drawn = new WeakMap<object, JSX.Element>();

const chartsOf = ({ statistics, glance }: Pick<DashboardDocument, "statistics" | "glance">): JSX.Element => {
  if (glance === null) return "";
  const known = drawn.get(glance.activity);
  if (known !== undefined) return known;
  const element = <LogCharts statistics={statistics} activity={glance.activity} />;
  drawn.set(glance.activity, element);
  return element;
};

/** What the dashboard shows, without the outcome of a form. */
const shown = async (
  { app, asker, caller }: Pick<PageCall, "app" | "asker" | "caller">,
  { wasEmpty, ...asked }: Omit<DashboardParameters, "openedAt"> & { openedAt?: number; wasEmpty?: boolean },
) => {
  const now = app.clock();
  const { openedAt = now } = asked;
  // On a page that was empty, nothing can move when the first sync brings news.
  const shownUntil = wasEmpty ? now : openedAt;
  const { glance, news, ...props } = await dashboard(app, asker, { ...asked, openedAt: shownUntil });
  return {
    props: {
      ...props,
      mayConnect: caller.impersonatedBy === null,
      now,
      openedAt,
      wasEmpty: wasEmpty ?? props.statistics.total === 0,
    },
    glance: glance === null ? "" : <Glance {...glance} news={news} now={now} />,
    charts: chartsOf({ statistics: props.statistics, glance }),
  };
};

const dashboardPage = async (call: PageCall, outcome: Outcome) => {
  const { app, caller, request } = call;
  const { since, cookie } = lastVisit(app.config, request, caller.user.id, app.clock());
  call.header("set-cookie", cookie);
  const { callsign, username } = caller.user;
  const { props, ...parts } = await shown(call, { since, isWhole: true });
  return {
    title: TEXTS.places.dashboard,
    body: <Dashboard name={callsign ?? username} {...parts} {...props} {...outcome} />,
  };
};

export const dashboardPages = [
  pageRoute("/", { query: DoneQuery, page: dashboardPage }),
  pageRoute("/partials/board", {
    query: BoardQuery,
    async page(call) {
      const { since } = lastVisit(call.app.config, call.request, call.caller.user.id, call.app.clock());
      const { props, glance, charts } = await shown(call, { since, isWhole: false, ...call.query });
      const fragment = (
        <>
          <Board {...props} />
          <Now {...props} isAnew />
          {props.active > 0 ? (
            ""
          ) : (
            <>
              <Part id="glance" isAnew>
                {glance}
              </Part>
              <Part id="charts" isAnew>
                {charts}
              </Part>
            </>
          )}
        </>
      );
      return { fragment };
    },
  }),
  formRoute("/sync/:source", {
    params: ServiceParam,
    form: "sync-:source",
    done: ":source",
    fields: only({
      full: Ticked,
      dryRun: Ticked,
      confirm: Ticked,
      since: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    async submit({ app, asker, params: { source } }, { full, dryRun, since, confirm }) {
      await sync(app, asker, source, {
        ...(full ? { full: true } : {}),
        ...(since === undefined ? {} : { since }),
        dryRun: dryRun !== undefined,
        confirm: confirm !== undefined,
      });
    },
    page: dashboardPage,
  }),
  formRoute("/connect/:source", {
    notWhileImpersonating: true,
    confirmed: true,
    params: ServiceParam,
    form: "connect-:source",
    done: ":source",
    async submit({ app, asker, params: { source }, client }, fields) {
      await connectService(app, asker, { source, fields, client });
    },
    page: dashboardPage,
  }),
];
