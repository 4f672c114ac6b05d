/** @jsxImportSource @kitajs/html */
import { contactAt } from "../addresses.ts";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import {
  AWARD_GROUPS,
  describeModeUnknown,
  SAT,
  type AwardDetail,
  type AwardMatrix,
  type Cell,
  type NeededView,
  type Slot,
  type SlotKey,
  type SlotName,
} from "../../src/domain/awards/award.ts";
import { describeWitness } from "../../src/domain/awards/award-words.ts";
import type { AsOf } from "../../src/kernel/time-text.ts";
import type { Areas } from "../charts/areas.ts";
import { EntityLegend, EntityMap } from "../charts/entity-map.tsx";
import { GridMap } from "../charts/grid-map.tsx";
import type { Home } from "../charts/home.tsx";
import type { Land } from "../charts/land.ts";
import { Meter } from "../charts/meter.tsx";
import { SlotMark, StateLegend } from "../partials/mark.tsx";
import { StatesMap } from "../charts/states-map.tsx";
import { Choice, Field, Refusal, type Outcome } from "../form.tsx";
import type { Labels } from "../../src/domain/jobs/source.ts";
import { From, Location } from "../partials/location.tsx";
import { AsOfField, Past } from "../partials/past.tsx";
import { Silent } from "../partials/silent.tsx";
import { BAND_CHOICES } from "../partials/qso-fields.tsx";
import { counted, grouped } from "../words.ts";
import { confirmers } from "./awards.tsx";
import { Caption } from "../partials/caption.tsx";
import { TEXTS } from "../texts.ts";

export interface AwardProps {
  award: AwardDetail & { withoutContacts?: readonly string[] };
  /** Only for awards with few enough names for a table. */
  matrix: AwardMatrix | null;
  needed: NeededView;
  /** Only for awards with a world map, and if the map is shown. */
  world: { land: Land; areas: Areas; places: readonly EntityPlace[]; home: Home | null } | null;
  asOf?: AsOf;
  asked: Record<"band" | "group" | "by" | "station" | "location" | "asOf", string>;
  look: Look;
  labels: Labels;
}

/** How an award is displayed. */
export interface Look {
  view: "list" | "map";
  show: Show;
  find: string;
  page: number;
}

export const SHOWS = ["needed", "worked", "confirmed", "all"] as const;
type Show = (typeof SHOWS)[number];

const SHOW_WORDS: Record<Show, string> = {
  needed: "needed",
  worked: "worked, not confirmed",
  confirmed: "confirmed",
  all: "all",
};

const ROWS_A_PAGE = 25;
const CHIPS_A_PAGE = 200;
const NEAREST = 12;

type Addressed = Pick<AwardProps, "award" | "asked" | "look">;

/** The path of this award with other options. */
const buildAwardPath = ({ award, asked, look }: Addressed, other: Partial<Look>): string => {
  const { view, show, find, page } = { ...look, ...other };
  const query = new URLSearchParams({
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== "")),
    ...(view === "list" ? { show } : { view }),
    ...(find === "" ? {} : { find }),
    ...(page > 1 ? { page: String(page) } : {}),
  });
  return `awards/${award.id}?${query}`;
};

export const AwardPage = (props: AwardProps & Outcome) => {
  const { award, matrix, needed, world, asked, look, labels, problem } = props;
  return (
    <>
      <div class="head">
        <h1 safe>{award.label}</h1>
        <a href="awards">All awards</a>
      </div>
      <section class="card" aria-label="Progress">
        <View award={award} asked={asked} labels={labels} problem={problem} />
        <Past of={props.asOf} />
        <From from={award.from} locations={award.locations} />
        <Silent stations={award.withoutContacts} />
        {isUnheard(award) ? "" : <Standing award={award} labels={labels} />}
      </section>
      {isUnheard(award) ? (
        ""
      ) : (
        <>
          {hasMap(award.id) ? <Views {...props} /> : ""}
          {look.view === "map" ? (
            <Maps asked={props.asked} award={award} matrix={matrix} world={world} />
          ) : (
            <>
              <NearestWins asked={props.asked} needed={needed} labels={labels} />
              {matrix === null ? <Slots {...props} /> : <Matrix {...props} matrix={matrix} />}
            </>
          )}
        </>
      )}
    </>
  );
};

/** The awards that have a map. */
export const hasMap = (id: string): boolean => /^(dxcc|dxcc-honor|vucc)$|^was/.test(id);

const Views = (props: Addressed) => (
  <nav class="tabs" aria-label="Views">
    {(["list", "map"] as const).map((view) => (
      <a
        href={buildAwardPath({ ...props, look: { ...props.look, page: 1 } }, { view })}
        aria-current={props.look.view === view ? "page" : undefined}
      >
        {view === "list" ? "List" : "Map"}
      </a>
    ))}
  </nav>
);

/** Contacts that someone has confirmed, but not in a way the sponsor accepts, come before unconfirmed ones. */
const NearestWins = ({ needed: { notConfirmed }, asked, labels }: Pick<AwardProps, "needed" | "asked" | "labels">) => {
  const nearest = notConfirmed.toSorted((a, b) => b.confirmedElsewhere.length - a.confirmedElsewhere.length);
  if (nearest.length === 0) return "";
  return (
    <section class="card" aria-labelledby="nearest-title">
      <h2 id="nearest-title">Almost there</h2>
      <p class="help">Worked, waiting for confirmation.</p>
      <p class="chips">
        {nearest.slice(0, NEAREST).map((slot) => (
          <>
            <a class="chip" href={contactAt(slot.qsoId, asked.asOf)}>
              <SlotMark state="worked" of="" />{" "}
              <span safe>{nameOf(slot) + describeElsewhere(slot.confirmedElsewhere, labels)}</span>
            </a>{" "}
          </>
        ))}
        {nearest.length > NEAREST ? (
          <span class="muted" safe>
            {`and ${counted(nearest.length - NEAREST, "more", "more")} below.`}
          </span>
        ) : (
          ""
        )}
      </p>
    </section>
  );
};

/** The requested callsigns have no contacts: the page says so instead of showing zeros. */
const isUnheard = ({ withoutContacts, worked }: AwardProps["award"]): boolean =>
  withoutContacts !== undefined && worked === 0;

const View = ({ award, asked, labels, problem }: Pick<AwardProps, "award" | "asked" | "labels"> & Outcome) => (
  <form class="row" id="view" method="get" action={`awards/${award.id}`} aria-label="View">
    <Refusal of="view" problem={problem} />
    <Choice form="view" name="by" label="Count" options={confirmers(labels)} value={asked.by} />
    <Choice form="view" name="band" label="Band" options={[...BAND_CHOICES, [SAT, "satellites"]]} value={asked.band} />
    <Choice
      form="view"
      name="group"
      label="Mode group"
      options={[["", "any"], ...AWARD_GROUPS.map((group) => [group, group] as const)]}
      value={asked.group}
    />
    <Field form="view" name="station" label="Station callsign" value={asked.station} class="short" maxlength={40} />
    <Location locations={award.locations} asked={asked.location} />
    <AsOfField form="view" asked={asked.asOf} />
    <button id="view-go">Show</button>
  </form>
);

const Standing = ({ award, labels }: Pick<AwardProps, "award" | "labels">) => {
  const { unit, sponsor, accepts, worked, confirmed, confirmedBy, credited, goal, next, of, parts, uncounted } = award;
  const modeMissing = describeModeUnknown(award.modeUnknown, labels.first);
  const figures: [string, number][] = [
    ["worked", worked],
    ["confirmed", confirmed],
    [`by ${labels.first}`, confirmedBy.first],
    [`by ${labels.second}`, confirmedBy.second],
    ["by card", confirmedBy.card],
    ["credited", credited],
  ];
  return (
    <>
      <p class="muted" safe>
        {`Counts ${unit}${of === null ? "" : ` (${of})`}. ${sponsor} accepts ${accepts.map((one) => describeWitness(one, labels)).join(" and ")}.`}
      </p>
      <dl class="figures">
        {figures.map(([name, value]) => (
          <div>
            <dt safe>{name}</dt>
            <dd safe>{grouped(value)}</dd>
          </div>
        ))}
      </dl>
      {goal === null ? (
        <p class="muted">There is no award for this count.</p>
      ) : (
        <>
          <Meter confirmed={confirmed} worked={worked} goal={goal} />
          <p safe>{towards(confirmed, goal, next)}</p>
        </>
      )}
      {parts.length === 0 ? (
        ""
      ) : (
        <p safe>{parts.map((part) => `${part.name} ${part.confirmed}/${part.worked}`).join(" · ")}</p>
      )}
      {modeMissing === null ? (
        ""
      ) : (
        <p class="muted" safe>
          {modeMissing}
        </p>
      )}
      {uncounted !== null && uncounted.unknownEntity + uncounted.notValid > 0 ? (
        <p class="muted" safe>
          {`Not counted: ${counted(uncounted.unknownEntity, "QSO")} with an unknown entity or none, ${grouped(uncounted.notValid)} outside the dates of their entity.`}
        </p>
      ) : (
        ""
      )}
    </>
  );
};

const towards = (confirmed: number, goal: number, next: number | null): string => {
  if (confirmed < goal) return `${grouped(confirmed)} of ${grouped(goal)}: ${grouped(goal - confirmed)} to go.`;
  if (next === null) return `Goal of ${grouped(goal)} reached: ${grouped(confirmed)} confirmed.`;
  return `${grouped(confirmed)} confirmed. Next: ${grouped(next)} (${grouped(next - confirmed)} to go).`;
};

const Maps = ({ award, asked, matrix, world }: Pick<AwardProps, "award" | "asked" | "matrix" | "world">) => {
  if (award.id.startsWith("was") && matrix !== null) {
    const cells = new Map(matrix.rows.flatMap(({ key, mixed }) => (mixed ? [[String(key), mixed] as const] : [])));
    return (
      <figure class="card">
        <figcaption>
          <h2>States</h2>
        </figcaption>
        <StatesMap cells={cells} toLog={(state) => logOf(asked, { state, dxcc: IN_THE_STATES })} />
      </figure>
    );
  }
  if (world === null) return "";
  const { land, areas, places, home } = world;
  if (award.id !== "vucc") {
    return (
      <figure class="card">
        <figcaption class="head">
          <h2 id="map-title">Entities</h2>
          <EntityLegend />
        </figcaption>
        <div class="scroll" tabindex="0" role="group" aria-labelledby="map-title">
          <EntityMap
            cells={toCells(award.slots)}
            areas={areas}
            places={places}
            home={home}
            toLog={(dxcc) => logOf(asked, { dxcc: String(dxcc) })}
          />
        </div>
      </figure>
    );
  }
  if (award.slots.length === 0) return "";
  const contacts = new Map(award.slots.map(({ key, qsoId }) => [String(key), contactAt(qsoId, asked.asOf)]));
  return (
    <figure class="card">
      <figcaption class="head">
        <h2 id="map-title">Grid squares</h2>
        <p class="muted small">Filled: confirmed. Hollow: worked.</p>
      </figcaption>
      <div class="scroll" tabindex="0" role="group" aria-labelledby="map-title">
        <GridMap cells={toCells(award.slots)} land={land} home={home} toLog={(square) => contacts.get(square)!} />
      </div>
    </figure>
  );
};

const IN_THE_STATES = "291,6,110";

/** Called thousands of times per page, so it avoids creating an object each time: that would be a tenth of the cost. */
const logOf = ({ station, asOf }: AwardProps["asked"], filter: Record<string, string>): string =>
  `log?${Object.entries({ ...filter, station, asOf })
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")}`;

const toCells = (slots: readonly Slot[]): Map<string, Cell> => {
  const cells = new Map<string, Cell>();
  for (const { key, confirmed } of slots) {
    if (confirmed || !cells.has(String(key))) cells.set(String(key), confirmed ? "confirmed" : "worked");
  }
  return cells;
};

/** The log filter that shows the contacts of a row, by the start of the award's id. */
const FILTER_OF: readonly (readonly [starts: string, filter: string])[] = [
  ["dxcc", "dxcc"],
  ["was", "state"],
];

type Row = AwardMatrix["rows"][number];

/** Adds rows for slots that were never worked, so that they can be found. */
const addNeverWorked = ({ rows, bands }: AwardMatrix, { neverWorked }: NeededView): Row[] => {
  const known = new Set(rows.map(({ key }) => key));
  const missing = new Map(neverWorked.filter(({ key }) => !known.has(key)).map(({ key, label }) => [key, label]));
  const unworked = [...missing].map(([key, label]) => ({ key, label, mixed: null, cells: bands.map(() => null) }));
  return [...rows, ...unworked].sort((a, b) => (a.label < b.label ? -1 : 1));
};

const stateOf = ({ mixed }: { mixed: Cell | null }): Show => mixed ?? "needed";

const Matrix = (props: AwardProps & { matrix: AwardMatrix }) => {
  const { matrix, award, asked, look, needed } = props;
  const { bands, totals } = matrix;
  const filter = FILTER_OF.find(([starts]) => award.id.startsWith(starts))?.[1];
  const toLog = (key: SlotKey, band: string | null): string | null => {
    if (!filter || band === SAT) return null;
    return logOf(asked, {
      [filter]: String(key),
      ...(filter === "state" ? { dxcc: IN_THE_STATES } : {}),
      ...(band === null ? {} : { band }),
    });
  };
  const all = addNeverWorked(matrix, needed);
  const counts = Map.groupBy(all, stateOf);
  const wanted = look.find.trim().toLowerCase();
  const found = (look.show === "all" ? all : (counts.get(look.show) ?? [])).filter(
    ({ key, label }) => wanted === "" || `${key} ${label}`.toLowerCase().includes(wanted),
  );
  const from = (look.page - 1) * ROWS_A_PAGE;
  return (
    <section class="card" id="slots" aria-labelledby="matrix-title">
      <div class="head">
        <h2 id="matrix-title">By band</h2>
        <StateLegend />
      </div>
      <Shows {...props} count={(show) => (show === "all" ? all.length : (counts.get(show)?.length ?? 0))} />
      {found.length === 0 ? (
        <p class="empty">Nothing matches.</p>
      ) : (
        <div class="scroll tall" tabindex="0" role="group" aria-labelledby="matrix-title">
          <table class="matrix">
            <Caption words={TEXTS.tables.matrix} />
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">Name</span>
                </th>
                <th scope="col">Mixed</th>
                {bands.map((band) => (
                  <th scope="col">{band}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.slice(from, from + ROWS_A_PAGE).map(({ key, label, mixed, cells }) => (
                <tr>
                  <th scope="row" safe>
                    {label === String(key) ? label : award.id.startsWith("dxcc") ? label : `${key} ${label}`}
                  </th>
                  {[mixed, ...cells].map((cell, index) => (
                    <MatrixCell
                      cell={cell}
                      of={index === 0 ? label : `${label}, ${bands[index - 1]}`}
                      to={cell && toLog(key, index === 0 ? null : bands[index - 1]!)}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              {(["confirmed", "worked"] as const).map((state) => (
                <tr>
                  <th scope="row">{state}</th>
                  {totals.map((total) => (
                    <td>{total[state]}</td>
                  ))}
                </tr>
              ))}
            </tfoot>
          </table>
        </div>
      )}
      <Pages {...props} total={found.length} size={ROWS_A_PAGE} />
    </section>
  );
};

/** With JavaScript the link only replaces the section of slots. */
const live = (address: string) => ({
  href: `${address}#slots`,
  "hx-get": address,
  "hx-target": "#slots",
  "hx-select": "#slots",
  "hx-swap": "outerHTML",
  "hx-push-url": "true",
});

const Shows = ({ count, ...props }: Addressed & { count(show: Show): number }) => {
  const { look, award, asked } = props;
  return (
    <div class="found">
      <p class="chips">
        {SHOWS.map((show) => (
          <>
            <a
              class="chip"
              id={`show-${show}`}
              aria-current={look.show === show ? "true" : undefined}
              {...live(buildAwardPath(props, { show, page: 1 }))}
              safe
            >
              {`${SHOW_WORDS[show]} ${grouped(count(show))}`}
            </a>{" "}
          </>
        ))}
      </p>
      <form
        class="finder-line"
        method="get"
        action={`awards/${award.id}`}
        role="search"
        hx-get={`awards/${award.id}`}
        hx-trigger="input delay:200ms, submit"
        hx-target="#slots"
        hx-select="#slots"
        hx-swap="outerMorph"
        hx-replace-url="true"
      >
        {Object.entries({ ...asked, show: look.show })
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
        <input
          type="search"
          id="find"
          name="find"
          data-key="/"
          value={look.find}
          aria-label="Find"
          placeholder="find"
        />
        <button class="quiet">Find</button>
      </form>
    </div>
  );
};

const Pages = ({ total, size, ...props }: Addressed & { total: number; size: number }) => {
  const last = Math.ceil(total / size);
  const { page } = props.look;
  if (last <= 1) return "";
  return (
    <nav class="pager" aria-label="Pages of the list">
      {page > 1 ? (
        <a id="page-previous" class="button" {...live(buildAwardPath(props, { page: page - 1 }))}>
          Previous
        </a>
      ) : (
        <span></span>
      )}
      <span class="muted" safe>
        {`${grouped((page - 1) * size + 1)} to ${grouped(Math.min(total, page * size))} of ${grouped(total)}`}
      </span>
      {page < last ? (
        <a id="page-next" class="button" {...live(buildAwardPath(props, { page: page + 1 }))}>
          Next
        </a>
      ) : (
        <span></span>
      )}
    </nav>
  );
};

const MatrixCell = ({ cell, of, to }: { cell: Cell | null; of: string; to: string | null }) => {
  const mark = <SlotMark state={cell} of={to === null ? "" : of} />;
  return <td>{to === null ? mark : <a href={to}>{mark as "safe"}</a>}</td>;
};

interface Chip extends SlotName {
  mixed: Cell | null;
  qsoId: number | null;
}

/** Lists slots of awards without a table, each with the contact that earned it. */
const Slots = (props: AwardProps) => {
  const { award, needed, look } = props;
  const all: Chip[] = [
    ...award.slots.map((slot): Chip => ({ ...slot, mixed: slot.confirmed ? "confirmed" : "worked" })),
    ...needed.neverWorked.map((name): Chip => ({ ...name, mixed: null, qsoId: null })),
  ];
  const counts = Map.groupBy(all, stateOf);
  const wanted = look.find.trim().toLowerCase();
  const found = (look.show === "all" ? all : (counts.get(look.show) ?? [])).filter(
    (slot) => wanted === "" || `${slot.key} ${nameOf(slot)}`.toLowerCase().includes(wanted),
  );
  const from = (look.page - 1) * CHIPS_A_PAGE;
  return (
    <section class="card" id="slots" aria-labelledby="slots-title">
      <h2 id="slots-title">List</h2>
      <Shows {...props} count={(show) => (show === "all" ? all.length : (counts.get(show)?.length ?? 0))} />
      {needed.complete || look.show !== "needed" ? (
        ""
      ) : (
        <p class="muted">qsolog has no complete list of these, so it cannot show what is needed.</p>
      )}
      {found.length === 0 ? <p class="empty">Nothing matches.</p> : ""}
      <p class="chips">
        {found.slice(from, from + CHIPS_A_PAGE).map((slot) => (
          <>
            <OneChip slot={slot} asOf={props.asked.asOf} />{" "}
          </>
        ))}
      </p>
      <Pages {...props} total={found.length} size={CHIPS_A_PAGE} />
    </section>
  );
};

const OneChip = ({ slot, asOf }: { slot: Chip; asOf: string }) => {
  const { key, label, mixed, qsoId } = slot;
  const name = label === String(key) ? nameOf(slot) : `${key} ${nameOf(slot)}`;
  if (mixed === null || qsoId === null) {
    return (
      <span class="chip" safe>
        {nameOf(slot)}
      </span>
    );
  }
  return (
    <a class="chip" href={contactAt(qsoId, asOf)}>
      <SlotMark state={mixed} of="" /> <span safe>{name}</span>
    </a>
  );
};

const nameOf = ({ label, band, group }: SlotName): string =>
  [label, band, group].filter((part) => part !== null).join(" ");

const describeElsewhere = (
  witnesses: NeededView["notConfirmed"][number]["confirmedElsewhere"],
  labels: Labels,
): string =>
  witnesses.length === 0 ? "" : ` (confirmed by ${witnesses.map((one) => describeWitness(one, labels)).join(", ")})`;
