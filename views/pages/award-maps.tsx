/** @jsxImportSource @kitajs/html */
import { Table, type Column } from "../partials/table.tsx";
import type { Cell, Slot } from "../../src/domain/awards/award.ts";
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import { getEntity } from "../../src/domain/radio/entity.ts";
import { US_STATES } from "../../src/domain/radio/us-states.ts";
import type { MapDrawing } from "../charts/areas.ts";
import { ChartCard } from "../charts/chart-card.tsx";
import { EntityLegend, EntityMap, stateOf } from "../charts/entity-map.tsx";
import { frameSquares, GridMap, placeInFrame } from "../charts/grid-map.tsx";
import type { Land } from "../charts/land.ts";
import { StatesMap } from "../charts/states-map.tsx";
import { grouped, listed } from "../words.ts";
import { AWARD_TEXTS } from "../texts/awards.ts";
import { IN_THE_STATES, type AwardProps, type World } from "./award-view.ts";
import { contactAt } from "../partials/contacts/call-link.tsx";

/** The awards that have a map. */
export const hasMap = (id: string): boolean => /^(dxcc|dxcc-honor|vucc)$|^was/.test(id);

type MapsProps = Pick<AwardProps, "award" | "asked" | "look" | "world" | "places" | "home"> & {
  toLog(filter: Record<string, string>): string;
};

export const AwardMaps = (props: MapsProps) => {
  const { award, world } = props;
  const cells = listCells(award.slots);
  if (award.id.startsWith("was")) return <States {...props} cells={cells} />;
  if (world === null) return "";
  if ("land" in world) return cells.size === 0 ? "" : <Squares {...props} cells={cells} land={world.land} />;
  return <Entities {...props} cells={cells} drawings={world} />;
};

type Drawn<More> = MapsProps & { cells: ReadonlyMap<string, Cell> } & More;

const listCells = (slots: readonly Slot[]): Map<string, Cell> => {
  const cells = new Map<string, Cell>();
  for (const { key, confirmed } of slots) {
    if (confirmed || !cells.has(String(key))) cells.set(String(key), confirmed ? "confirmed" : "worked");
  }
  return cells;
};

const countCells = (cells: ReadonlyMap<string, Cell>, state: Cell): number =>
  [...cells.values()].filter((cell) => cell === state).length;

const buildMapPath = ({ award, asked }: MapsProps): string =>
  `awards/${award.id}?${new URLSearchParams(Object.entries({ ...asked, view: "map", table: "map" }).filter(([, value]) => value !== ""))}`;

const { maps } = AWARD_TEXTS;

interface TableRow {
  key?: string;
  /** Where it is on the map, if the map has no shape of its own for it. */
  at?: string;
  name: string;
  href: string | null;
  values: readonly string[];
}

interface PlaceTableProps {
  caption: string;
  /** The heading of the name, then of each value. */
  heads: readonly [name: string, ...values: string[]];
  rows: readonly TableRow[];
}

const PlaceTable = ({ caption, heads: [name, ...values], rows }: PlaceTableProps) => (
  <Table
    caption={caption}
    rows={rows}
    row={({ key, at }) => ({ "data-key": key, "data-at": at })}
    columns={[
      { head: name, isName: true, markup: renderName },
      ...values.map((head, index): Column<TableRow> => ({ head, text: ({ values }) => values[index]! })),
    ]}
  />
);

const renderName = ({ name, href }: TableRow) =>
  href === null ? (
    <span safe>{name}</span>
  ) : (
    <a href={href} safe>
      {name}
    </a>
  );

const Entities = (props: Drawn<{ drawings: Extract<World, { map: MapDrawing }> }>) => {
  const { cells, places, home, drawings, toLog } = props;
  const title = describeGaps(cells, places);
  const inset = (name: "europe" | "caribbean", map: MapDrawing) => {
    const within = places.filter(
      (place) => map.locate(place) !== null && (name !== "europe" || getEntity(place.dxcc)?.continent === "EU"),
    );
    const worked = within.filter((place) => stateOf(cells, place) !== "needed");
    const confirmed = worked.filter((place) => stateOf(cells, place) === "confirmed");
    const words = maps.inset(maps[name], worked.length, within.length, confirmed.length);
    return (
      <div>
        <p safe>{words}</p>
        <EntityMap id="map" title={words} map={map} cells={cells} places={places} home={home} />
      </div>
    );
  };
  const rows = places
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((place): TableRow => {
      const state = stateOf(cells, place);
      const continent = getEntity(place.dxcc)?.continent;
      return {
        key: String(place.dxcc),
        name: place.name,
        href: state === "needed" ? null : toLog({ dxcc: String(place.dxcc) }),
        values: [place.prefix, continent ? maps.continents[continent] : "", maps[state]],
      };
    });
  return (
    <ChartCard
      id="map"
      title={title}
      about={maps.about}
      href={buildMapPath(props)}
      isOpen={props.look.isTable}
      legend={<EntityLegend cells={cells} places={places} />}
      table={<PlaceTable caption={title} heads={[maps.entity, maps.prefix, maps.continent, maps.state]} rows={rows} />}
    >
      <EntityMap id="map" title={title} map={drawings.map} cells={cells} places={places} home={home} />
      <div class="columns insets">{drawings.insets.map(([name, map]) => inset(name, map)) as "safe"[]}</div>
    </ChartCard>
  );
};

const GAPS_NAMED = 2;

/** Where most of the entities are that are not worked. */
const describeGaps = (cells: ReadonlyMap<string, Cell>, places: readonly EntityPlace[]): string => {
  const missing = places.filter((place) => stateOf(cells, place) === "needed");
  if (missing.length === 0) return maps.everything;
  const continents = [...Map.groupBy(missing, ({ dxcc }) => getEntity(dxcc)!.continent)]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, GAPS_NAMED);
  const count = continents.reduce((sum, [, group]) => sum + group.length, 0);
  return maps.gaps(grouped(count), grouped(missing.length), listed(continents.map(([name]) => maps.continents[name])));
};

const States = (props: Drawn<unknown>) => {
  const title = maps.states(props.cells.size, countCells(props.cells, "confirmed"));
  const rows = [...US_STATES].map(([key, name]): TableRow => {
    const state = props.cells.get(key) ?? "needed";
    return {
      key,
      name: `${name} (${key})`,
      href: state === "needed" ? null : props.toLog({ state: key, dxcc: IN_THE_STATES }),
      values: [maps[state]],
    };
  });
  return (
    <ChartCard
      id="map"
      title={title}
      about={maps.aboutStates}
      href={buildMapPath(props)}
      isOpen={props.look.isTable}
      table={<PlaceTable caption={title} heads={[maps.stateName, maps.state]} rows={rows} />}
    >
      <StatesMap id="map" title={title} cells={props.cells} />
    </ChartCard>
  );
};

const Squares = (props: Drawn<{ land: Land }>) => {
  const { cells, award, asked, home, land } = props;
  const title = maps.squares(grouped(cells.size), grouped(countCells(cells, "confirmed")));
  const contacts = new Map(award.slots.map(({ key, qsoId }) => [String(key), contactAt(qsoId, asked.asOf)]));
  const frame = frameSquares(cells);
  const places = new Map(frame.shown.map((square) => [square.name, placeInFrame(frame, square)]));
  const rows = [...cells].map(([name, state]): TableRow => {
    const at = places.get(name);
    return { name, href: contacts.get(name)!, values: [maps[state]], ...(at && { at }) };
  });
  return (
    <ChartCard
      id="map"
      title={title}
      about={maps.aboutSquares(frame.hidden)}
      href={buildMapPath(props)}
      isOpen={props.look.isTable}
      table={<PlaceTable caption={title} heads={[maps.square, maps.state]} rows={rows} />}
    >
      <GridMap id="map" title={title} frame={frame} land={land} home={home} />
    </ChartCard>
  );
};
