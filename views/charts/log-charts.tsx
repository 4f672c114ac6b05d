/** @jsxImportSource @kitajs/html */
import type { Activity } from "../../src/domain/statistics/activity.ts";
import type { Statistics } from "../../src/domain/statistics/statistics.ts";
import { describeBiggest, describeBusiestYear } from "../../src/domain/statistics/findings.ts";
import { Bars } from "./bars.tsx";
import { Columns } from "./columns.tsx";
import { BarLegend } from "./legend.tsx";
import { Months } from "./months.tsx";
import { DASHBOARD_TEXTS } from "../texts/dashboard.ts";

const WORDS = DASHBOARD_TEXTS.charts;

const BANDS_SHOWN = 12;

interface Props {
  statistics: Statistics;
  activity: Activity;
}

/** Charts of a log: by year, by band, and the last two years by month and band. */
export const LogCharts = ({ statistics: { byYear, byBand }, activity }: Props) => (
  <>
    <div class="columns">
      <figure class="card">
        <figcaption class="head">
          <h2 safe>{describeBusiestYear(byYear.map(({ year, total }) => [String(year), total])) ?? WORDS.byYear}</h2>
          <BarLegend />
        </figcaption>
        <Columns
          title={WORDS.qsosByYear}
          bars={byYear.map(({ year, ...share }) => ({ name: String(year), ...share }))}
        />
      </figure>
      <figure class="card">
        <figcaption class="head">
          <h2 safe>
            {describeBiggest(
              "band",
              byBand.map(({ band, total }) => [band, total]),
            ) ?? WORDS.byBand}
          </h2>
          <BarLegend />
        </figcaption>
        <Bars
          title={WORDS.qsosByBand}
          bars={pickMostUsed(byBand).map(({ band, ...share }) => ({ name: band, ...share }))}
        />
      </figure>
    </div>
    {activity.bands.length !== 0 && (
      <figure class="card across">
        <figcaption>
          <h2>{WORDS.byMonth}</h2>
        </figcaption>
        <Months {...activity} />
      </figure>
    )}
  </>
);

/** The most used bands, in band order. */
const pickMostUsed = (byBand: Statistics["byBand"]): Statistics["byBand"] => {
  const least = byBand.map(({ total }) => total).sort((a, b) => b - a)[BANDS_SHOWN - 1] ?? 0;
  return byBand.filter(({ total }) => total >= least).slice(0, BANDS_SHOWN);
};
