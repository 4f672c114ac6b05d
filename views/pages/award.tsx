/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@elysiajs/html";
import type { EntityPlace } from "../../src/domain/call-facts.ts";
import {
  AWARD_GROUPS,
  modeUnknownInWords,
  SAT,
  type AwardDetail,
  type AwardMatrix,
  type Cell,
  type NeededView,
  type Slot,
  type SlotKey,
  type SlotName,
} from "../../src/domain/award.ts";
import { witnessInWords } from "../../src/domain/award-words.ts";
import { EntityLegend, EntityMap } from "../charts/entity-map.tsx";
import { GridMap } from "../charts/grid-map.tsx";
import type { Land } from "../charts/land.ts";
import { Meter } from "../charts/meter.tsx";
import { StatesMap } from "../charts/states-map.tsx";
import { Choice, Field, Refusal, type Outcome } from "../form.tsx";
import type { Labels } from "../../src/domain/source.ts";
import { From, Location } from "../partials/location.tsx";
import { Silent } from "../partials/silent.tsx";
import { BAND_CHOICES } from "../partials/qso-fields.tsx";
import { counted, grouped } from "../words.ts";
import { confirmers } from "./awards.tsx";

export interface AwardProps {
  award: AwardDetail & { withoutContacts?: readonly string[] };
  /** Of what has few enough names for a row each. */
  matrix: AwardMatrix | null;
  needed: NeededView;
  /** Of what is drawn on a map of the world. */
  world: { land: Land; places: readonly EntityPlace[] } | null;
  asked: Record<"band" | "group" | "by" | "station" | "location", string>;
  labels: Labels;
}

const SLOTS_SHOWN = 1_500;

export const AwardPage = ({ award, matrix, needed, world, asked, labels, problem }: AwardProps & Outcome) => (
  <>
    <div class="head">
      <h1 safe>{award.label}</h1>
      <a href="awards">All awards</a>
    </div>
    <section class="card" aria-label="Progress">
      <View award={award} asked={asked} labels={labels} problem={problem} />
      <From from={award.from} locations={award.locations} />
      <Silent stations={award.withoutContacts} />
      {isUnheard(award) ? "" : <Standing award={award} labels={labels} />}
    </section>
    {isUnheard(award) ? (
      ""
    ) : (
      <>
        <Maps award={award} matrix={matrix} world={world} />
        {matrix === null ? <Slots slots={award.slots} /> : <Matrix matrix={matrix} award={award} asked={asked} />}
        <NeededLists needed={needed} labels={labels} />
      </>
    )}
  </>
);

/** Nothing was made under the callsigns asked for: the page says so, and shows no zeros. */
const isUnheard = ({ withoutContacts, worked }: AwardProps["award"]): boolean =>
  withoutContacts !== undefined && worked === 0;

const View = ({ award, asked, labels, problem }: Pick<AwardProps, "award" | "asked" | "labels"> & Outcome) => (
  <form class="row" id="view" method="get" action={`awards/${award.id}`} aria-label="View">
    <Refusal of="view" problem={problem} />
    <Choice form="view" name="by" label="Counts" options={confirmers(labels)} value={asked.by} />
    <Choice form="view" name="band" label="Band" options={[...BAND_CHOICES, [SAT, "satellites"]]} value={asked.band} />
    <Choice
      form="view"
      name="group"
      label="Mode"
      options={[["", "any"], ...AWARD_GROUPS.map((group) => [group, group] as const)]}
      value={asked.group}
    />
    <Field form="view" name="station" label="Own callsign" value={asked.station} class="short" maxlength={40} />
    <Location locations={award.locations} asked={asked.location} />
    <button id="view-go">Show</button>
  </form>
);

const Standing = ({ award, labels }: Pick<AwardProps, "award" | "labels">) => {
  const { unit, sponsor, accepts, worked, confirmed, confirmedBy, credited, goal, next, of, parts, uncounted } = award;
  const modeMissing = modeUnknownInWords(award.modeUnknown, labels.first);
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
        {`Counts ${unit}${of === null ? "" : ` (${of})`}. ${sponsor} accepts ${accepts.map((one) => witnessInWords(one, labels)).join(" and ")}.`}
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
        <p class="muted">There is no award for these: they are plain counts.</p>
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
          {`Not counted: ${counted(uncounted.unknownEntity, "QSO")} of unknown or no entity, ${grouped(uncounted.notValid)} from before or after their entity.`}
        </p>
      ) : (
        ""
      )}
    </>
  );
};

const towards = (confirmed: number, goal: number, next: number | null): string => {
  const step = next === null ? "" : `, next step ${grouped(next)}`;
  if (confirmed < goal) return `${grouped(confirmed)} of ${grouped(goal)}${step}.`;
  return `Goal of ${grouped(goal)} reached with ${grouped(confirmed)} confirmed${step}.`;
};

const Maps = ({ award, matrix, world }: Pick<AwardProps, "award" | "matrix" | "world">) => {
  if (award.id.startsWith("was") && matrix !== null) {
    const cells = new Map(matrix.rows.flatMap(({ key, mixed }) => (mixed ? [[String(key), mixed] as const] : [])));
    return (
      <figure class="card">
        <figcaption>
          <h2>The states</h2>
        </figcaption>
        <StatesMap cells={cells} />
      </figure>
    );
  }
  if (world === null) return "";
  if (award.id !== "vucc") {
    return (
      <figure class="card">
        <figcaption class="head">
          <h2 id="map-title">The entities</h2>
          <EntityLegend />
        </figcaption>
        <div class="scroll" tabindex="0" role="group" aria-labelledby="map-title">
          <EntityMap cells={cellsOf(award.slots)} land={world.land} places={world.places} />
        </div>
      </figure>
    );
  }
  if (award.slots.length === 0) return "";
  return (
    <figure class="card">
      <figcaption class="head">
        <h2>The grid squares</h2>
        <p class="muted small">Filled: confirmed. Hollow: worked.</p>
      </figcaption>
      <GridMap cells={cellsOf(award.slots)} land={world.land} />
    </figure>
  );
};

const cellsOf = (slots: readonly Slot[]): Map<string, Cell> => {
  const cells = new Map<string, Cell>();
  for (const { key, confirmed } of slots) {
    if (confirmed || !cells.has(String(key))) cells.set(String(key), confirmed ? "confirmed" : "worked");
  }
  return cells;
};

const LETTERS: Record<Cell, string> = { confirmed: "C", worked: "W" };
const CLASSES: Record<Cell, string> = { confirmed: "cell-c", worked: "cell-w" };

interface MatrixProps {
  matrix: AwardMatrix;
  award: AwardDetail;
  asked: AwardProps["asked"];
}

/** Which filter of the log shows the contacts of a row, where there is one. */
const FILTER_OF: readonly (readonly [starts: string, filter: string])[] = [
  ["dxcc", "dxcc"],
  ["was", "state"],
];

const Matrix = ({ matrix: { bands, rows, totals }, award, asked }: MatrixProps) => {
  const filter = FILTER_OF.find(([starts]) => award.id.startsWith(starts))?.[1];
  const toLog = (key: SlotKey, band: string | null): string | null => {
    if (!filter || band === SAT) return null;
    const query = new URLSearchParams({ [filter]: String(key), ...award.madeFrom });
    if (filter === "state") query.set("dxcc", "291,6,110");
    if (band !== null) query.set("band", band);
    if (asked.station !== "") query.set("station", asked.station);
    return `log?${query}`;
  };
  return (
    <section class="card" aria-labelledby="matrix-title">
      <div class="head">
        <h2 id="matrix-title">By band</h2>
        <p class="muted small">
          <span class="mark cell-c">C</span> confirmed <span class="mark cell-w">W</span> worked{" "}
          <span class="mark cell-n">·</span> needed
        </p>
      </div>
      {rows.length === 0 ? (
        <p class="empty">Nothing is worked yet.</p>
      ) : (
        <div class="scroll" tabindex="0" role="group" aria-labelledby="matrix-title">
          <table class="matrix">
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
              {rows.map(({ key, label, mixed, cells }) => (
                <tr>
                  <th scope="row" safe>
                    {label === String(key) ? label : award.id.startsWith("dxcc") ? label : `${key} ${label}`}
                  </th>
                  {[mixed, ...cells].map((cell, index) => (
                    <MatrixCell cell={cell} to={cell && toLog(key, index === 0 ? null : bands[index - 1]!)} />
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
    </section>
  );
};

const MatrixCell = ({ cell, to }: { cell: Cell | null; to: string | null }) => {
  if (cell === null) return <td class="cell-n">·</td>;
  const letter = <span safe>{LETTERS[cell]}</span>;
  return <td class={CLASSES[cell]}>{to === null ? letter : <a href={to}>{letter as "safe"}</a>}</td>;
};

/** What has no end of names: each with the contact that earned it. */
const Slots = ({ slots }: { slots: readonly Slot[] }) => (
  <section class="card" aria-labelledby="slots-title">
    <h2 id="slots-title">What counts</h2>
    {slots.length === 0 ? (
      <p class="empty">Nothing is worked yet.</p>
    ) : (
      <p class="chips">
        {slots.slice(0, SLOTS_SHOWN).map(({ key, label, band, confirmed, qsoId }) => (
          <>
            <a class={`chip ${confirmed ? "cell-c" : "cell-w"}`} href={`log/${qsoId}`} title={label} safe>
              {`${confirmed ? "C" : "W"} ${key}${band === null ? "" : ` ${band}`}`}
            </a>{" "}
          </>
        ))}
      </p>
    )}
    {slots.length > SLOTS_SHOWN ? (
      <p class="muted" safe>
        {`and ${counted(slots.length - SLOTS_SHOWN, "more", "more")}.`}
      </p>
    ) : (
      ""
    )}
  </section>
);

const NeededLists = ({
  needed: { complete, neverWorked, notConfirmed },
  labels,
}: Pick<AwardProps, "needed" | "labels">) => (
  <div class="columns">
    <section class="card" aria-labelledby="open-title">
      <h2 id="open-title" safe>
        {`Worked, not confirmed: ${grouped(notConfirmed.length)}`}
      </h2>
      {notConfirmed.length === 0 ? <p class="empty">Everything worked is confirmed.</p> : ""}
      <p class="chips">
        {notConfirmed.slice(0, SLOTS_SHOWN).map((slot) => (
          <>
            <a class="chip cell-w" href={`log/${slot.qsoId}`} safe>
              {nameOf(slot) + elsewhere(slot.confirmedElsewhere, labels)}
            </a>{" "}
          </>
        ))}
      </p>
    </section>
    <section class="card" aria-labelledby="never-title">
      <h2 id="never-title" safe>
        {!complete ? "Never worked" : `Never worked: ${grouped(neverWorked.length)}`}
      </h2>
      {!complete ? (
        <p class="empty">There is no complete list.</p>
      ) : (
        <p class="chips">
          {neverWorked.slice(0, SLOTS_SHOWN).map((slot) => (
            <>
              <span class="chip" safe>
                {nameOf(slot)}
              </span>{" "}
            </>
          ))}
        </p>
      )}
    </section>
  </div>
);

const nameOf = ({ label, band, group }: SlotName): string =>
  [label, band, group].filter((part) => part !== null).join(" ");

const elsewhere = (witnesses: NeededView["notConfirmed"][number]["confirmedElsewhere"], labels: Labels): string =>
  witnesses.length === 0 ? "" : ` (confirmed by ${witnesses.map((one) => witnessInWords(one, labels)).join(", ")})`;
