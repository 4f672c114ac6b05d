/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { contactAt } from "../addresses.ts";
import {
  FIGURE_TITLES,
  type ConfirmationRow,
  type CountsFigure,
  type Figures,
} from "../../src/domain/statistics/log-figures.ts";
import { SERVICES, type Labels } from "../../src/domain/jobs/source.ts";
import { Curve } from "../charts/curve.tsx";
import { GreatCircles, type WorkedPlace } from "../charts/great-circles.tsx";
import { Heat, findMax } from "../charts/heat.tsx";
import type { AsOf } from "../../src/kernel/time-text.ts";
import { getTypedLabel } from "../../src/domain/origins/labels.ts";
import { narrowSearch, parseTokens } from "../../src/domain/contact/search-words.ts";
import { Band } from "../partials/band.tsx";
import { Caption } from "../partials/caption.tsx";
import { AsOfField, Past } from "../partials/past.tsx";
import { Refusal, type Outcome } from "../form.tsx";
import { counted, grouped, percent } from "../words.ts";

export interface StatisticsProps {
  search: string;
  /** The day for a past log, or empty. */
  asOf: string;
  figures: Figures & { asOf?: AsOf };
  /** The land around home and the worked places; null if home is unknown. */
  map: { land: string; places: readonly WorkedPlace[] } | null;
  labels: Labels;
}

export const StatisticsPage = (props: StatisticsProps & Outcome) => (
  <>
    <Selection {...props} past={props.figures.asOf} />
    <Charts {...props} />
  </>
);

type SelectionProps = Pick<StatisticsProps, "search" | "asOf"> & { past?: AsOf | undefined } & Outcome;

const buildPath = (asOf: string, words: string) =>
  new URLSearchParams({ search: words, ...(asOf === "" ? {} : { asOf }) });

/** The selection of contacts. It is displayed before the charts are ready. */
export const Selection = ({ search, asOf, past, problem }: SelectionProps) => (
  <>
    <div class="head">
      <h1>Statistics</h1>
      <a href={`log?${buildPath(asOf, narrowSearch(search, []))}`}>Show contacts</a>
    </div>
    <section class="card" aria-label="Selection">
      <form class="finder" id="select" method="get" action="statistics" role="search">
        <Refusal of="select" problem={problem} />
        <div class="finder-line">
          <input
            type="search"
            name="search"
            id="select-search"
            data-key="/"
            value={search}
            aria-label="Filter contacts"
            placeholder="20m ft8 2023..2024 station:…"
            autocomplete="off"
          />
          <AsOfField form="select" asked={asOf} problem={problem} />
          <button>Show</button>
        </div>
      </form>
      <Past of={past} />
    </section>
  </>
);

export const Charts = ({ search, asOf, figures, map, labels }: StatisticsProps) => {
  const toLog = (...words: string[]) => `log?${buildPath(asOf, narrowSearch(search, words))}`;
  const toTitle = (id: string) => `statistics?${buildPath(asOf, search)}#${id}-title`;
  const { calendar, hours, bands, modes, curve, confirmations, furthest } = figures;
  return (
    <>
      {calendar.rows.length === 0 ? (
        <p class="empty">
          No QSOs match. <a href="statistics">Show the whole log</a>, or <a href="log/import">import a file</a>.
        </p>
      ) : (
        <>
          <Picture id="calendar" title={FIGURE_TITLES.calendar} of={calendar} cell="week" next={toTitle("hours")}>
            <Heat
              {...calendar}
              title="QSOs by year and week"
              everyNth={4}
              toLog={(year, week) => toLog(formatDays(year, week))}
            />
          </Picture>
          <Picture id="hours" title={FIGURE_TITLES.hours} of={hours} cell="hour" next={toTitle("bands")}>
            <Heat
              {...hours}
              title="QSOs by band and hour"
              everyNth={2}
              toLog={(band, hour) => toLog(band, `hour:${Number(hour)}`)}
            />
          </Picture>
          <Picture id="bands" title={FIGURE_TITLES.bands} of={bands} cell="year" next={toTitle("modes")}>
            <Heat {...bands} title="QSOs by band and year" everyNth={2} toLog={(band, year) => toLog(band, year)} />
          </Picture>
          <Picture id="modes" title={FIGURE_TITLES.modes} of={modes} cell="year" next={toTitle("curve")}>
            <Heat
              {...modes}
              title="QSOs by mode and year"
              everyNth={2}
              toLog={(mode, year) => toLog(`mode:=${mode}`, year)}
            />
          </Picture>
          <section class="card" aria-labelledby="curve-title">
            <div class="head">
              <h2 id="curve-title" safe>
                {FIGURE_TITLES.curve}
              </h2>
              <p class="legend small">
                <span class="line-worked">worked</span> <span class="line-confirmed">confirmed</span>
              </p>
            </div>
            <div class="curves">
              {curve.lines.map((line) => (
                <figure>
                  <figcaption class="small" safe>
                    {`${line.name}: ${grouped(line.worked.at(-1)!)} worked, ${grouped(line.confirmed.at(-1)!)} confirmed`}
                  </figcaption>
                  <Curve months={curve.months} line={line} toLog={(year) => toLog(year)} />
                </figure>
              ))}
            </div>
          </section>
          <div class="columns">
            <ConfirmationTable
              rows={confirmations.rows}
              labels={labels}
              toLog={toLog}
              isByAnybody={!parseTokens(search).some(({ name }) => name === "by")}
            />
            <div class="board">
              <section class="card" aria-labelledby="furthest-title">
                <h2 id="furthest-title" safe>
                  {FIGURE_TITLES.furthest}
                </h2>
                {furthest.rows.length === 0 ? (
                  <p class="empty">No contact has both grid squares.</p>
                ) : (
                  <table>
                    <Caption words={FIGURE_TITLES.furthest} />
                    <thead>
                      <tr>
                        <th scope="col">Band</th>
                        <th scope="col" class="num">
                          km
                        </th>
                        <th scope="col">Contact</th>
                        <th scope="col">Grid</th>
                      </tr>
                    </thead>
                    <tbody>
                      {furthest.rows.map(({ band, km, qsoId, call, gridsquare }) => (
                        <tr>
                          <th scope="row">
                            <Band band={band} />
                          </th>
                          <td class="num" safe>
                            {grouped(km)}
                          </td>
                          <td>
                            <a class="call" href={contactAt(qsoId, asOf)} safe>
                              {call}
                            </a>
                          </td>
                          <td safe>{gridsquare}</td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                )}
              </section>
              {map === null || figures.map.home === null ? (
                ""
              ) : (
                <Picture id="map" title={`The world from ${figures.map.home.grid}`}>
                  <GreatCircles
                    home={figures.map.home}
                    land={map.land}
                    places={map.places}
                    toLog={(dxcc) => toLog(`dxcc:${dxcc}`)}
                  />
                </Picture>
              )}
            </div>
          </div>
        </>
      )}
    </>
  );
};

/** The seven days of a week; weeks start on 1 January. */
const formatDays = (year: string, week: string): string => {
  const first = Date.UTC(Number(year), 0, 1 + (Number(week) - 1) * 7);
  const last = Math.min(first + 6 * 86_400_000, Date.UTC(Number(year), 11, 31));
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return `${day(first)}..${day(last)}`;
};

interface PictureProps {
  id: string;
  title: string;
  of?: CountsFigure;
  /** The unit of time of its columns. */
  cell?: "week" | "hour" | "year";
  /** What comes behind it, for whom the keys lead from cell to cell. */
  next?: string;
}

const Picture = ({ id, title, of, cell, next, children }: PropsWithChildren<PictureProps>) => (
  <figure class="card">
    <figcaption class="head">
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      {of && cell ? <span class="muted small" safe>{`busiest ${cell}: ${counted(findMax(of), "contact")}`}</span> : ""}
    </figcaption>
    {next === undefined ? (
      ""
    ) : (
      <a class="skip" href={next}>
        Skip to next chart
      </a>
    )}
    <div class="scroll" tabindex="0" role="group" aria-labelledby={`${id}-title`}>
      {children as "safe"}
    </div>
  </figure>
);

interface ConfirmationProps {
  rows: readonly ConfirmationRow[];
  labels: Labels;
  toLog(...words: string[]): string;
  /** True if the search does not already select by confirmation, because a search cannot express two confirmations. */
  isByAnybody: boolean;
}

const ConfirmationTable = ({ rows, labels, toLog, isByAnybody }: ConfirmationProps) => {
  const wordsOf = (row: ConfirmationRow) => (row.of === "all" ? [] : [row.name]);
  const share = (row: ConfirmationRow, count: number, by: string, name: string) => {
    const words = percent(count, row.total);
    return (
      <td class="num">
        {isByAnybody && count > 0 ? (
          <a href={toLog(...wordsOf(row), `by:${by}`)} aria-label={`${row.name}, ${name}: ${words}`} safe>
            {words}
          </a>
        ) : (
          <span safe>{words}</span>
        )}
      </td>
    );
  };
  return (
    <section class="card" aria-labelledby="confirmations-title">
      <h2 id="confirmations-title" safe>
        {FIGURE_TITLES.confirmations}
      </h2>
      <div class="scroll tall" tabindex="0" role="group" aria-labelledby="confirmations-title">
        <table>
          <Caption words={FIGURE_TITLES.confirmations} />
          <thead>
            <tr>
              <th scope="col">Group</th>
              <th scope="col" class="num">
                QSOs
              </th>
              {SERVICES.map((service) => (
                <>
                  <th scope="col" class="num" safe>
                    {labels[service]}
                  </th>
                  <th scope="col" class="num">
                    days
                  </th>
                </>
              ))}
              <th scope="col" class="num">
                card
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                <th scope="row">
                  <a href={toLog(...wordsOf(row))} safe>
                    {row.name}
                  </a>
                </th>
                <td class="num" safe>
                  {grouped(row.total)}
                </td>
                {SERVICES.map((service) => (
                  <>
                    {share(row, row[service], getTypedLabel(service), labels[service])}
                    <td class="num muted" safe>
                      {row[`${service}Days`] === null ? "–" : grouped(row[`${service}Days`]!)}
                    </td>
                  </>
                ))}
                {share(row, row.card, "card", "card")}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
