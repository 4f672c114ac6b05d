import type { Activity } from "../../src/domain/activity.ts";
import type { Statistics } from "../../src/domain/statistics.ts";
import { BarLegend, Bars } from "../charts/bars.tsx";
import { Columns } from "../charts/columns.tsx";
import { Months } from "../charts/months.tsx";
import type { Outcome } from "../form.tsx";
import { Board, type BoardProps } from "../partials/board.tsx";

const BANDS_SHOWN = 12;

interface Props extends BoardProps {
  name: string;
  activity: Activity;
}

export const Dashboard = ({ name, activity, ...board }: Props & Outcome) => (
  <>
    <div class="head">
      <h1>
        Log of{" "}
        <span class="mono" safe>
          {name}
        </span>
      </h1>
    </div>
    {board.statistics.total === 0 ? <FirstSteps /> : ""}
    <Board {...board} />
    {board.statistics.total === 0 ? "" : <Charts statistics={board.statistics} activity={activity} />}
  </>
);

const FirstSteps = () => (
  <section class="card" aria-labelledby="first-steps">
    <h2 id="first-steps">An empty log</h2>
    <p>
      Set up <a href="settings">a service</a> and sync, or <a href="log#import">import an ADIF file</a>. Syncs can run
      by schedule, and each can be looked into and taken back.
    </p>
  </section>
);

const Charts = ({ statistics: { byYear, byBand }, activity }: { statistics: Statistics; activity: Activity }) => (
  <>
    <div class="columns">
      <figure class="card">
        <figcaption class="head">
          <h2>By year</h2>
          <BarLegend />
        </figcaption>
        <Columns title="QSOs by year" bars={byYear.map(({ year, ...share }) => ({ name: String(year), ...share }))} />
      </figure>
      <figure class="card">
        <figcaption class="head">
          <h2>By band</h2>
          <BarLegend />
        </figcaption>
        <Bars title="QSOs by band" bars={mostUsed(byBand).map(({ band, ...share }) => ({ name: band, ...share }))} />
      </figure>
    </div>
    {activity.bands.length === 0 ? (
      ""
    ) : (
      <figure class="card">
        <figcaption>
          <h2 id="months-title">The last two years, by month and band</h2>
        </figcaption>
        <div class="scroll" tabindex="0" role="region" aria-labelledby="months-title">
          <Months {...activity} />
        </div>
      </figure>
    )}
  </>
);

/** The bands used most, in the order of the bands. */
const mostUsed = (byBand: Statistics["byBand"]): Statistics["byBand"] => {
  const least = byBand.map(({ total }) => total).sort((a, b) => b - a)[BANDS_SHOWN - 1] ?? 0;
  return byBand.filter(({ total }) => total >= least).slice(0, BANDS_SHOWN);
};
