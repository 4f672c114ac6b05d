/** @jsxImportSource @kitajs/html */
import type { RankSteps } from "../../src/domain/statistics/rank-steps.ts";
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";

/** What the signs mean. */
export const Legend = ({ entries }: { entries: readonly (readonly [sign: JSX.Element, words: string])[] }) => (
  <p class="legend">
    {entries.map(([sign, words]) => (
      <span>
        {sign as "safe"}
        <span safe>{words}</span>
      </span>
    ))}
  </p>
);

const Swatch = ({ look }: { look: string }) => (
  <svg class="chart" viewBox="0 0 10 10" aria-hidden="true">
    <rect class={look} width="10" height="10" rx="2" />
  </svg>
);

export const BarLegend = () => (
  <Legend
    entries={[
      [<Swatch look="confirmed" />, TEXTS.charts.confirmed],
      [<Swatch look="worked" />, TEXTS.states.worked],
    ]}
  />
);

/** The ranges of the colours in numbers. */
export const StepLegend = ({ of: { legend } }: { of: RankSteps }) => (
  <Legend
    entries={[
      [<Swatch look="ground" />, TEXTS.charts.none],
      ...legend.map(
        ({ step, from, to }) =>
          [<Swatch look={`s${step}`} />, TEXTS.charts.steps(grouped(from), to === null ? null : grouped(to))] as const,
      ),
    ]}
  />
);

type SlotState = "confirmed" | "worked" | "needed" | "here";

/** The signs of a matrix. */
export const StateLegend = ({ states }: { states: readonly SlotState[] }) => (
  <Legend
    entries={states.map((state) => [
      <span class={`slot-mark ${state}`} aria-hidden="true"></span>,
      TEXTS.states[state],
    ])}
  />
);
