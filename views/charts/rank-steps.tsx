/** @jsxImportSource @kitajs/html */
import type { RankSteps } from "../../src/domain/statistics/rank-steps.ts";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";

/** The ranges of the colours in numbers. */
export const StepLegend = ({ of: { legend } }: { of: RankSteps }) => (
  <p class="legend">
    {[
      { step: 0, words: TEXTS.charts.none },
      ...legend.map(({ step, from, to }) => ({
        step,
        words: TEXTS.charts.steps(grouped(from), to === null ? null : grouped(to)),
      })),
    ].map(({ step, words }) => (
      <span>
        <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
          <rect class={step === 0 ? "ground" : `s${step}`} width="10" height="10" rx="2" />
        </svg>
        <span safe>{words}</span>
      </span>
    ))}
  </p>
);
