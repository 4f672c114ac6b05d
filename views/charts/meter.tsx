/** @jsxImportSource @kitajs/html */
import { TEXTS } from "../texts/shared.ts";
import { grouped } from "../words.ts";

interface MeterProps {
  confirmed: number;
  worked: number;
  goal: number;
  /** Where the scale starts: the last goal that was reached. */
  from?: number;
}

const TICKS = 10;

/** Progress as a tuning scale: solid to the confirmed count, hatched to the worked one, the needle in between. */
export const Meter = ({ confirmed, worked, goal, from = 0 }: MeterProps) => {
  const place = (count: number) =>
    Math.round((Math.min(1, Math.max(0, count - from) / Math.max(1, goal - from)) || 0) * 1000) / 10;
  const [solid, hatched] = [place(confirmed), place(worked)];
  const title = TEXTS.charts.progress(grouped(confirmed), grouped(worked), grouped(goal));
  return (
    <svg class="chart meter" role="img" aria-label={title}>
      <title safe>{title}</title>
      <rect class="ground" y="5" width="100%" height="8" rx="1.5" />
      {hatched > solid && <rect class="worked" x={`${solid}%`} y="5" width={`${hatched - solid}%`} height="8" />}
      <rect class="confirmed" y="5" width={`${solid}%`} height="8" rx="1.5" />
      {Array.from({ length: TICKS + 1 }, (_, at) => (
        <line class="tick" x1={`${at * TICKS}%`} x2={`${at * TICKS}%`} y1="16" y2={at % 5 === 0 ? "22" : "19"} />
      ))}
      <rect class="needle" x={`${solid}%`} y="0" width="2" height="20" transform="translate(-1)" />
    </svg>
  );
};

/** A goal: its name, the scale with both ends numbered, and how much is missing. */
export const Goal = ({ name, href, ...meter }: MeterProps & { name: string; href: string }) => {
  const { confirmed, goal, from = 0 } = meter;
  return (
    <div class="scale">
      <a href={href} safe>
        {name}
      </a>
      <div>
        <Meter {...meter} />
        <p class="ends muted small" aria-hidden="true">
          <span safe>{grouped(from)}</span>
          <span safe>{grouped(goal)}</span>
        </p>
      </div>
      <b safe>{TEXTS.charts.toGo(grouped(Math.max(0, goal - confirmed)))}</b>
    </div>
  );
};

/** The hatch of everything that waits for a confirmation. Charts refer to it. */
export const Patterns = () => (
  <svg class="patterns" width="0" height="0" aria-hidden="true">
    <defs>
      <pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="5" height="5" />
        <line class="hatch-line" y2="5" />
      </pattern>
    </defs>
  </svg>
);
