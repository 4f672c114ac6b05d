/** @jsxImportSource @kitajs/html */
import type { ConfirmationRow, Figures } from "../../src/domain/statistics/log-figures.ts";
import { describeFindings, describeLine, formatWeek } from "../../src/domain/statistics/findings.ts";
import { SERVICES, type Service } from "../../src/domain/jobs/source.ts";
import { Bars, BarTable } from "../charts/bars.tsx";
import { AsTable, ChartCard } from "../charts/chart-card.tsx";
import { Curve, CurveTable } from "../charts/curve.tsx";
import { DistanceTable, GreatCircles, type WorkedPlace } from "../charts/great-circles.tsx";
import { CountsTable, createSteps, Heat, listPhoneColumns } from "../charts/heat.tsx";
import { BarLegend, StepLegend } from "../charts/legend.tsx";
import { Band } from "../partials/contacts/band.tsx";
import { DAY, HOUR } from "../../src/kernel/clock.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import { LABELS, getTypedLabel } from "../../src/domain/origins/labels.ts";
import { narrowSearch, parseTokens } from "../../src/domain/contact/search-words.ts";
import { EmptyLog } from "../partials/lead.tsx";
import { Table, type Column } from "../partials/table.tsx";
import { AsOfField, Past } from "../partials/contacts/past.tsx";
import { Refusal, type Outcome } from "../form.tsx";
import { counted, grouped, percent } from "../words.ts";
import { STATISTICS_TEXTS } from "../texts/statistics.ts";
import { CallLink } from "../partials/contacts/call-link.tsx";

export const TABLES = [
  "calendar",
  "hours",
  "shares",
  "bands",
  "modes",
  "entities",
  "states",
  "zones",
  "grids",
  "confirmations",
  "map",
] as const;
type TableName = (typeof TABLES)[number];

interface StatisticsProps {
  search: string;
  /** The day for a past log, or empty. */
  asOf: string;
  figures: Figures & { asOf?: AsOf };
  /** The land around home and the worked places; null if home is unknown. */
  map: { land: string; places: readonly WorkedPlace[] } | null;
  now: number;
  /** The chart that is shown as a table too. */
  table?: TableName | undefined;
}

type SelectionProps = Pick<StatisticsProps, "search" | "asOf"> & { past?: AsOf | undefined } & Outcome;

const buildPath = (asOf: string, words: string) =>
  new URLSearchParams({ search: words, ...(asOf === "" ? {} : { asOf }) });

/** The selection of contacts. It is displayed before the charts are ready. */
export const Selection = ({ search, asOf, past, problem }: SelectionProps) => (
  <>
    <div class="head">
      <h1>{STATISTICS_TEXTS.title}</h1>
      <a href={`log?${buildPath(asOf, narrowSearch(search, []))}`}>{STATISTICS_TEXTS.showContacts}</a>
    </div>
    <section class="card" aria-label={STATISTICS_TEXTS.selection}>
      <form class="finder" id="select" method="get" action="statistics" role="search">
        <Refusal of="select" problem={problem} />
        <div class="finder-line">
          <input
            type="search"
            name="search"
            id="select-search"
            data-key="/"
            value={search}
            aria-label={STATISTICS_TEXTS.filter}
            placeholder={STATISTICS_TEXTS.filterHint}
            autocomplete="off"
          />
          <AsOfField form="select" asked={asOf} problem={problem} />
          <button>{STATISTICS_TEXTS.show}</button>
        </div>
      </form>
      <Past of={past} />
    </section>
  </>
);

const LATEST_YEARS = 6;

type ToCell = (row: string, column: string) => string;

type Draw = () => JSX.Element;

/**
 * Draws one card after the other. Other requests are answered in between, because all together take too long. Without
 * contacts there are no cards.
 */
export const drawCharts = async (props: StatisticsProps, turn: () => Promise<void>): Promise<JSX.Element> => {
  const cards: JSX.Element[] = [];
  for (const draw of listCards(props)) {
    cards.push(draw());
    await turn();
  }
  const [calendar, ...others] = cards;
  if (calendar !== undefined) {
    return (
      <>
        {calendar as "safe"}
        <div class="columns chart-pairs">{others.join("") as "safe"}</div>
      </>
    );
  }
  if (props.search === "" && props.asOf === "") return <EmptyLog words={STATISTICS_TEXTS.emptyLog} />;
  return (
    <p class="empty">
      {STATISTICS_TEXTS.noMatch} <a href="statistics">{STATISTICS_TEXTS.wholeLog}</a>
      {STATISTICS_TEXTS.or}
      <a href="log/import">{STATISTICS_TEXTS.importFile}</a>.
    </p>
  );
};

const listCards = ({ search, asOf, figures, map, now, table }: StatisticsProps): Draw[] => {
  const toLog = (...words: string[]) => `log?${buildPath(asOf, narrowSearch(search, words))}`;
  const { calendar, shares, curve, confirmations, furthest } = figures;
  if (calendar.rows.length === 0) return [];
  const { home } = figures.map;
  const findings = describeFindings(figures);
  const of = (id: TableName) => ({
    id,
    href: `statistics?${buildPath(asOf, search)}&table=${id}`,
    isOpen: table === id,
  });
  const { about, heads } = STATISTICS_TEXTS;
  const at = figures.asOf?.at ?? now;
  const today = new Date(at);
  const week = Math.floor((at - Date.UTC(today.getUTCFullYear(), 0, 1)) / (7 * DAY));
  const future = calendar.rows[0]!.name === String(today.getUTCFullYear()) ? week : undefined;
  const weeks = listPhoneColumns(calendar.columns, future);
  const hour = figures.asOf ? undefined : today.getUTCHours() + today.getUTCMinutes() / (HOUR / 60_000);
  const busiest = Math.max(...calendar.rows.flatMap(({ counts }) => counts));
  const steps = createSteps(calendar);
  const aboutWeeks = about.calendar(steps.isPeak(busiest) ? counted(busiest, "QSO") : null);
  const bars = shares.map(({ band, ...share }) => ({ name: band, ...share }));
  const confirmationTable = (rows: readonly ConfirmationRow[]) => (
    <ConfirmationTable rows={rows} toLog={toLog} isByAnybody={!parseTokens(search).some(({ name }) => name === "by")} />
  );
  const drawHeat =
    (id: "hours" | "bands" | "modes", names: readonly [string, string], toCell: ToCell, now?: number) => () => (
      <ChartCard
        {...of(id)}
        title={findings[id]}
        about={now === undefined ? about[id] : `${about[id]} ${about.now}`}
        legend={<StepLegend of={createSteps(figures[id])} />}
        table={<CountsTable {...figures[id]} caption={about[id]} names={names} toLog={toCell} />}
      >
        <Heat {...figures[id]} id={id} title={findings[id]} width={560} now={now} />
      </ChartCard>
    );
  return [
    () => (
      <ChartCard
        {...of("calendar")}
        class="across"
        title={findings.calendar}
        about={aboutWeeks}
        legend={
          <>
            <p class="phone-only small">
              {STATISTICS_TEXTS.weeksShown(weeks[0]!, weeks.at(-1)!) as "safe"}{" "}
              <a href={`${of("calendar").href}#calendar-table`} data-opens="calendar-table">
                {STATISTICS_TEXTS.earlierWeeks}
              </a>
            </p>
            <StepLegend of={steps} />
          </>
        }
        table={
          <CountsTable
            {...calendar}
            caption={aboutWeeks}
            names={[heads.year, heads.week]}
            toLog={(year, name) => toLog(formatWeek(Number(year), Number(name) - 1))}
          />
        }
      >
        <Heat {...calendar} id="calendar" title={findings.calendar} width={1_110} future={future} />
      </ChartCard>
    ),
    drawHeat("hours", [heads.band, heads.hour], (band, name) => toLog(band, `hour:${Number(name)}`), hour),
    () => (
      <ChartCard
        {...of("shares")}
        title={findings.shares}
        about={about.shares}
        legend={<BarLegend />}
        table={<BarTable caption={about.shares} of={heads.band} bars={bars} toLog={toLog} />}
      >
        <Bars title={findings.shares} bars={bars} table="shares-table" />
      </ChartCard>
    ),
    drawHeat("bands", [heads.band, ""], toLog),
    drawHeat("modes", [heads.mode, ""], (mode, year) => toLog(`mode:=${mode}`, year)),
    ...curve.lines.map((line, index) => () => {
      const words = about.curve(line.name);
      const title = index === 0 ? findings.curve : describeLine(line.name, line.worked.at(-1)!, line.confirmed.at(-1)!);
      return (
        <ChartCard
          {...of(line.name)}
          title={title}
          about={words}
          table={<CurveTable caption={words} months={curve.months} line={line} toLog={toLog} />}
        >
          <Curve id={line.name} title={title} months={curve.months} line={line} />
        </ChartCard>
      );
    }),
    () => (
      <div class="board">
        <section class="card" aria-labelledby="confirmations-title">
          <Heading id="confirmations" title={findings.confirmations} about={about.confirmations} />
          {confirmationTable(pickLatest(confirmations.rows))}
          <AsTable {...of("confirmations")} title={about.confirmations}>
            {confirmationTable(confirmations.rows)}
          </AsTable>
        </section>
        <section class="card" aria-labelledby="furthest-title">
          <Heading id="furthest" title={findings.furthest} about={about.furthest} />
          {furthest.rows.length === 0 ? (
            <p class="empty">{STATISTICS_TEXTS.noGrids}</p>
          ) : (
            <FurthestTable rows={furthest.rows} asOf={asOf} />
          )}
        </section>
      </div>
    ),
    ...(map === null || home === null
      ? []
      : [
          () => (
            <ChartCard
              {...of("map")}
              title={findings.map}
              about={about.map}
              table={
                <DistanceTable
                  caption={about.map}
                  home={home}
                  places={map.places}
                  toLog={(dxcc) => toLog(`dxcc:${dxcc}`)}
                />
              }
            >
              <GreatCircles id="map" title={findings.map} home={home} land={map.land} places={map.places} />
            </ChartCard>
          ),
        ]),
  ];
};

const Heading = ({ id, title, about }: { id: string; title: string; about: string }) => (
  <div>
    <h2 id={`${id}-title`} safe>
      {title}
    </h2>
    <p class="muted small" safe>
      {about}
    </p>
  </div>
);

/** The whole log and the latest years. */
const pickLatest = (rows: readonly ConfirmationRow[]): readonly ConfirmationRow[] => [
  ...rows.filter(({ of }) => of === "all"),
  ...rows.filter(({ of }) => of === "year").slice(0, LATEST_YEARS),
];

const FurthestTable = ({ rows, asOf }: { rows: Figures["furthest"]["rows"]; asOf: string }) => (
  <Table
    caption={STATISTICS_TEXTS.about.furthest}
    rows={rows}
    columns={[
      { head: STATISTICS_TEXTS.furthest.band, isName: true, markup: ({ band }) => <Band band={band} /> },
      { head: STATISTICS_TEXTS.furthest.km, class: "num", text: ({ km }) => grouped(km) },
      {
        head: STATISTICS_TEXTS.furthest.contact,
        markup: ({ qsoId, call }) => <CallLink id={qsoId} call={call} asOf={asOf} />,
      },
      { head: STATISTICS_TEXTS.furthest.grid, text: ({ gridsquare }) => gridsquare },
    ]}
  />
);

interface ConfirmationProps {
  rows: readonly ConfirmationRow[];
  toLog(...words: string[]): string;
  /** True if the search does not already select by confirmation, because a search cannot express two confirmations. */
  isByAnybody: boolean;
}

const ConfirmationTable = ({ rows, toLog, isByAnybody }: ConfirmationProps) => {
  const wordsOf = (row: ConfirmationRow) => (row.of === "all" ? [] : [row.name]);
  const share = (by: Service | "card", head: string, word: string, spoken: string): Column<ConfirmationRow> => ({
    head,
    class: "num",
    markup: (row) => {
      const words = percent(row[by], row.total);
      if (!isByAnybody || row[by] === 0) return <span safe>{words}</span>;
      return (
        <a href={toLog(...wordsOf(row), `by:${word}`)} aria-label={`${row.name}, ${spoken}: ${words}`} safe>
          {words}
        </a>
      );
    },
  });
  return (
    <Table
      caption={STATISTICS_TEXTS.about.confirmations}
      rows={rows}
      columns={[
        {
          head: STATISTICS_TEXTS.heads.group,
          isName: true,
          markup: (row) => (
            <a href={toLog(...wordsOf(row))} safe>
              {row.of === "all" ? STATISTICS_TEXTS.confirmations.all : row.name}
            </a>
          ),
        },
        { head: STATISTICS_TEXTS.confirmations.qsos, class: "num", text: ({ total }) => grouped(total) },
        ...SERVICES.flatMap((service): Column<ConfirmationRow>[] => [
          share(service, LABELS[service], getTypedLabel(service), LABELS[service]),
          {
            head: STATISTICS_TEXTS.confirmations.days,
            class: "num muted",
            text: ({ [`${service}Days` as const]: days }) => (days === null ? "–" : grouped(days)),
          },
        ]),
        share("card", STATISTICS_TEXTS.confirmations.card, "card", "card"),
      ]}
    />
  );
};
