/** @jsxImportSource @kitajs/html */
import { Type } from "typebox";
import type { NewsSince } from "../../domain/jobs/gains.ts";
import { dashboard, type DashboardDocument, type DashboardParameters } from "../../logbook/dashboard.ts";
import { sync } from "../../logbook/job-actions.ts";
import { LogCharts } from "../../../views/charts/log-charts.tsx";
import type { Outcome } from "../../../views/form.tsx";
import { Dashboard } from "../../../views/pages/dashboard.tsx";
import { GainsList } from "../../../views/partials/gains.tsx";
import { Board, LogAtAGlance } from "../../../views/partials/board.tsx";
import { fitForm } from "../pages/forms.ts";
import { LABELS } from "../../domain/origins/labels.ts";
import { formRoute, pageRoute, type PageCall } from "../pages/page-route.ts";
import { Id, only, ServiceParam } from "../http/shapes.ts";
import { lastVisit } from "./last-visit.ts";

const DoneQuery = only({ done: Type.Optional(Type.String({ maxLength: 40 })) });
/** The list stays the same while somebody reads it. */
const BoardQuery = only({
  upTo: Type.Optional(Id),
  openedAt: Type.Optional(Id),
  wasEmpty: Type.Optional(Type.Boolean()),
});
const Ticked = Type.Optional(Type.Literal("on"));
const SyncForm = only({
  full: Ticked,
  dryRun: Ticked,
  confirm: Ticked,
  since: Type.Optional(Type.String({ maxLength: 40 })),
});

/** Rendered once per object: figures and gains stay the same objects until they change. */
const drawn = new WeakMap<object, JSX.Element>();

const once = (of: object, draw: () => JSX.Element): JSX.Element => {
  const known = drawn.get(of);
  if (known !== undefined) return known;
  const element = draw();
  drawn.set(of, element);
  return element;
};

const chartsOf = ({ statistics, activity }: Pick<DashboardDocument, "statistics" | "activity">): JSX.Element =>
  once(activity, () => (statistics.total === 0 ? "" : <LogCharts statistics={statistics} activity={activity} />));

const broughtOf = (news: NewsSince | null): JSX.Element =>
  news === null ? "" : once(news.gains, () => <GainsList gains={news.gains} />);

/** What the dashboard shows, without the outcome of a form. */
const shown = async (
  { app, asker }: Pick<PageCall, "app" | "asker">,
  { wasEmpty, ...asked }: Omit<DashboardParameters, "openedAt"> & { openedAt?: number; wasEmpty?: boolean },
) => {
  const now = app.clock();
  const { openedAt = now } = asked;
  const { activity, ...props } = await dashboard(app, asker, { ...asked, openedAt });
  const charts = chartsOf({ statistics: props.statistics, activity });
  const { total } = props.statistics;
  return {
    props: {
      ...props,
      brought: broughtOf(props.news),
      labels: LABELS,
      now,
      openedAt,
      wasEmpty: wasEmpty ?? total === 0,
    },
    charts,
  };
};

const dashboardPage = async (call: PageCall, outcome: Outcome) => {
  const { app, caller, request } = call;
  const { since, cookie } = lastVisit(app.config, request, caller.user.id, app.clock());
  call.header("set-cookie", cookie);
  const { callsign, username } = caller.user;
  const { props, charts } = await shown(call, { since });
  return {
    title: "Dashboard",
    body: <Dashboard name={callsign ?? username} charts={charts} {...props} {...outcome} />,
  };
};

export const dashboardPages = [
  pageRoute({ path: "/", access: "user", query: DoneQuery }, (call) => dashboardPage(call, { done: call.query.done })),
  pageRoute({ path: "/partials/board", access: "user", query: BoardQuery }, async (call) => {
    const { since } = lastVisit(call.app.config, call.request, call.caller.user.id, call.app.clock());
    const { props, charts } = await shown(call, { since, ...call.query });
    const fragment = (
      <>
        <Board {...props} />
        {props.active === 0 ? <LogAtAGlance charts={charts} isAnew /> : ""}
      </>
    );
    return { fragment };
  }),
  formRoute(
    { path: "/sync/:source", access: "user", params: ServiceParam, form: "sync" },
    async ({ app, asker, params }, fields) => {
      const { full, dryRun, since, confirm } = fitForm(SyncForm, fields);
      const options = { ...(full ? { full: true } : {}), ...(since === undefined ? {} : { since }) };
      await sync(app, asker, params.source, {
        ...options,
        dryRun: dryRun !== undefined,
        confirm: confirm !== undefined,
      });
      return params.source;
    },
    (call, { problem, done }) =>
      dashboardPage(call, {
        done,
        ...(problem ? { problem: { ...problem, form: `sync-${call.params.source}` } } : {}),
      }),
  ),
];
