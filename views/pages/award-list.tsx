/** @jsxImportSource @kitajs/html */
import type { EntityPlace } from "../../src/domain/radio/call-facts.ts";
import { SAT, type AwardMatrix, type Cell, type SlotName, type Witness } from "../../src/domain/awards/award.ts";
import { describeWaiting } from "../../src/domain/awards/waiting.ts";
import { getEntity } from "../../src/domain/radio/entity.ts";
import { computeDistanceKm } from "../../src/domain/radio/maidenhead.ts";
import { Band } from "../partials/contacts/band.tsx";
import { Pager } from "../partials/pager.tsx";
import { Caption } from "../partials/table.tsx";
import { Tabs } from "../partials/choices.tsx";
import { StateLegend } from "../charts/legend.tsx";
import { SlotMark } from "../partials/contacts/mark.tsx";
import { day, grouped } from "../words.ts";
import { SHOWS, AWARD_TEXTS, type Show } from "../texts/awards.ts";
import {
  buildAwardPath,
  IN_THE_STATES,
  logOf,
  nameAward,
  nameBand,
  shortenBand,
  type Addressed,
  type AwardProps,
} from "./award-view.ts";
import { contactAt } from "../partials/contacts/call-link.tsx";

/** A row of a matrix has a cell for each band. */
const rowsPerPage = (matrix: AwardMatrix | null): number => (matrix ? 50 : 100);

/** The filter of the log for a name of an award, by the start of the award's id. */
const FILTERS: readonly (readonly [starts: string, filter: (key: string) => Record<string, string>])[] = [
  ["dxcc", (key) => ({ dxcc: key })],
  ["was", (key) => ({ state: key, dxcc: IN_THE_STATES })],
];

interface Row extends SlotName {
  state: Cell | null;
  /** The state on each band of the matrix. */
  cells: readonly (Cell | null)[] | null;
  qsoId: number | null;
  confirmedElsewhere: readonly Witness[];
  place: EntityPlace | undefined;
  km: number | null;
}

const listRows = ({ award, matrix, needed, asked, places, home }: AwardProps): Row[] => {
  const byEntity = new Map(award.id.startsWith("dxcc") ? places.map((place) => [place.dxcc, place]) : []);
  const waiting = new Map(needed.notConfirmed.map((slot) => [nameKey(slot, matrix), slot]));
  const earned = new Map(award.slots.map((slot) => [nameKey(slot, matrix), slot.qsoId]));
  const extend = (slot: SlotName, state: Cell | null, cells: Row["cells"]): Row => {
    const place = byEntity.get(Number(slot.key));
    const key = nameKey(slot, matrix);
    return {
      ...slot,
      state,
      cells,
      qsoId: waiting.get(key)?.qsoId ?? earned.get(key) ?? null,
      confirmedElsewhere: waiting.get(key)?.confirmedElsewhere ?? [],
      place,
      km: place && home ? Math.round(computeDistanceKm(home, place)) : null,
    };
  };
  const missing = needed.neverWorked.map((slot) => extend(slot, null, matrix ? matrix.bands.map(() => null) : null));
  if (matrix === null)
    return [...award.slots.map((slot) => extend(slot, slot.confirmed ? "confirmed" : "worked", null)), ...missing];
  const at = matrix.bands.indexOf(asked.band as (typeof matrix.bands)[number]);
  const known = new Set(matrix.rows.map(({ key }) => key));
  return [
    ...matrix.rows.map(({ key, label, mixed, cells }) =>
      extend({ key, label, band: null, group: null }, asked.band === "" ? mixed : (cells[at] ?? null), cells),
    ),
    ...missing.filter(({ key }) => !known.has(key)),
  ].sort((a, b) => (a.label < b.label ? -1 : 1));
};

/** A matrix has one row for each name, other lists one for each slot. */
const nameKey = ({ key, band, group }: SlotName, matrix: AwardMatrix | null): string =>
  matrix ? String(key) : `${key} ${band} ${group}`;

const countBands = ({ cells }: Row): number => cells?.filter((cell) => cell !== null).length ?? 0;

const byDistance = (a: Row, b: Row): number => (a.km ?? Infinity) - (b.km ?? Infinity) || 0;

/** The newest first where something waits, the likeliest first where something is needed. */
const sortRows = (rows: readonly Row[], show: Show, contacts: AwardProps["contacts"]): readonly Row[] => {
  const at = ({ qsoId }: Row) => (qsoId === null ? 0 : (contacts.get(qsoId)?.startedAt ?? 0));
  if (show === "worked") return rows.toSorted((a, b) => at(b) - at(a));
  if (show === "needed") return rows.toSorted((a, b) => countBands(b) - countBands(a) || byDistance(a, b));
  return rows;
};

/** What waits, is needed or is confirmed, in pages. */
export const List = (props: AwardProps) => {
  const { award, matrix, needed, look, asked, contacts } = props;
  const all = listRows(props);
  const counts = Map.groupBy(all, ({ state }): Show => state ?? "needed");
  const count = (show: Show) => (show === "all" ? all.length : (counts.get(show)?.length ?? 0));
  const wanted = look.find.trim().toLowerCase();
  const found = (look.show === "all" ? all : (counts.get(look.show) ?? [])).filter(
    (row) => wanted === "" || `${row.key} ${nameOf(row)} ${row.place?.prefix ?? ""}`.toLowerCase().includes(wanted),
  );
  const sorted = sortRows(found, look.show, contacts);
  const perPage = rowsPerPage(matrix);
  const from = (look.page - 1) * perPage;
  return (
    <section class="award-list" id="slots" aria-label={nameAward(props).join(" ")}>
      <Tabs
        label={AWARD_TEXTS.lists}
        choices={SHOWS.filter((show) => show !== "needed" || needed.complete || look.show === show).map((show) => ({
          words: AWARD_TEXTS.tabs(show, asked.band !== ""),
          href: buildAwardPath(props, { show, page: 1 }),
          count: grouped(count(show)),
          isHere: look.show === show,
        }))}
      />
      {!needed.complete && look.show === "needed" && <p class="muted">{AWARD_TEXTS.incomplete}</p>}
      {found.length === 0 ? (
        <p class="empty">{wanted === "" ? AWARD_TEXTS.nothing[look.show] : AWARD_TEXTS.noMatch}</p>
      ) : (
        <div class="card">
          <Table {...props} rows={sorted.slice(from, from + perPage)} counted={sorted} />
          <Pages award={award} asked={asked} look={look} total={found.length} perPage={perPage} />
        </div>
      )}
    </section>
  );
};

type Column = Exclude<keyof typeof AWARD_TEXTS.heads, "name">;

const Table = (props: AwardProps & { rows: readonly Row[]; counted: readonly Row[] }) => {
  const { matrix, look, asked, rows, counted: all } = props;
  // Dots in every cell say nothing.
  const bands = matrix && rows.some((row) => countBands(row) > 0) ? matrix.bands : [];
  const isWaiting = look.show === "worked";
  const isNeeded = look.show === "needed";
  const columns: readonly Column[] = isWaiting
    ? ["call", "worked", "band", "mode", "missing", "advice"]
    : isNeeded
      ? [
          ...(rows.some(({ place }) => place) ? (["zone"] as const) : []),
          ...(rows.some(({ km }) => km !== null) ? (["distance"] as const) : []),
          ...(matrix ? [] : (["band", "mode"] as const)),
        ]
      : ["state", ...(matrix ? [] : (["band", "mode"] as const))];
  const isElsewhere = (row: Row) => countBands(row) > 0;
  const groups: readonly (readonly [name: string, rows: readonly Row[]])[] =
    isNeeded && asked.band !== "" && bands.length > 0
      ? [
          [AWARD_TEXTS.workedElsewhere(asked.band, grouped(all.filter(isElsewhere).length)), rows.filter(isElsewhere)],
          [
            AWARD_TEXTS.neverWorked(grouped(all.length - all.filter(isElsewhere).length)),
            rows.filter((row) => !isElsewhere(row)),
          ],
        ]
      : [["", rows]];
  return (
    <>
      {bands.length > 0 && <StateLegend states={["confirmed", "worked", "needed"]} />}
      <table class={["slots", isWaiting && "waiting"]}>
        <Caption words={nameAward(props).join(" ")} />
        <thead>
          <tr>
            {(["name", ...columns] as const).map((column) => (
              <th scope="col">{AWARD_TEXTS.heads[column]}</th>
            ))}
            {bands.map((band) => (
              <th scope="col" class={["band-cell", band === asked.band && "here"]}>
                <a
                  href={buildAwardPath(props, { band, show: "needed", page: 1 })}
                  aria-label={AWARD_TEXTS.neededOn(nameBand(band))}
                  safe
                >
                  {shortenBand(band)}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        {groups
          .filter(([, group]) => group.length > 0)
          .map(([name, group]) => (
            <tbody>
              {name !== "" && (
                <tr>
                  <th class="group-name full" scope="rowgroup" colspan={1 + columns.length + bands.length} safe>
                    {name}
                  </th>
                </tr>
              )}
              {group.map((row) => (
                <OneRow {...props} row={row} columns={columns} bands={bands} />
              ))}
            </tbody>
          ))}
        {matrix !== null && bands.length > 0 && (
          <tfoot>
            {(["confirmed", "worked"] as const).map((state) => (
              <tr>
                <th scope="row" colspan={1 + columns.length}>
                  {`${AWARD_TEXTS.totals[state]} ${grouped(matrix.totals[0]?.[state] ?? 0)}` as "safe"}
                </th>
                {matrix.totals.slice(1).map((total) => (
                  <td class="band-cell">{total[state]}</td>
                ))}
              </tr>
            ))}
          </tfoot>
        )}
      </table>
    </>
  );
};

interface OneRowProps extends AwardProps {
  row: Row;
  columns: readonly Column[];
  bands: AwardMatrix["bands"];
}

const OneRow = ({ row, columns, bands, award, matrix, asked, contacts, now }: OneRowProps) => {
  const { key, state, cells, qsoId, place, km, confirmedElsewhere, band, group } = row;
  const contact = qsoId === null ? undefined : contacts.get(qsoId);
  const waiting = contact && describeWaiting(award, confirmedElsewhere, contact, now);
  const filter = FILTERS.find(([starts]) => award.id.startsWith(starts))?.[1](String(key));
  const isWorked = state !== null || countBands(row) > 0;
  const toLog = (on: string) => (filter && on !== SAT ? logOf(asked, { ...filter, band: on }) : null);
  const link = contact
    ? contactAt(contact.id, asked.asOf)
    : matrix && filter
      ? toLog(state === null ? "" : asked.band)
      : qsoId && contactAt(qsoId, asked.asOf);
  const values: Record<Column, JSX.Element> = {
    call: contact ? (
      <span class="call" safe>
        {contact.call}
      </span>
    ) : (
      ""
    ),
    worked: contact ? <time safe>{day(contact.startedAt)}</time> : "",
    band: contact?.band ? <Band band={contact.band} /> : band ? <Band band={band} /> : "",
    mode: (
      <span safe>
        {contact ? (contact.submode ?? contact.mode ?? "") : (AWARD_TEXTS.groupNames[group ?? ""] ?? "")}
      </span>
    ),
    missing: <span safe>{waiting?.missing ?? ""}</span>,
    advice: <span safe>{waiting?.advice ?? ""}</span>,
    zone: <span>{place ? String(getEntity(place.dxcc)?.cqZone ?? "") : ""}</span>,
    distance: <span safe>{km === null ? "" : AWARD_TEXTS.kilometres(grouped(km))}</span>,
    state: <SlotMark state={state} of="" />,
  };
  const name = nameOf({ ...row, band: null, group: null });
  const words = row.label === String(key) || award.id.startsWith("dxcc") ? name : `${key} ${name}`;
  return (
    <tr>
      <th scope="row">
        {isWorked && link ? (
          <a data-row="" href={link} safe>
            {words}
          </a>
        ) : (
          <span safe>{words}</span>
        )}{" "}
        {place !== undefined && (
          <span class="muted mono" safe>
            {place.prefix}
          </span>
        )}
      </th>
      {columns.map((column) => (
        <td class={`c-${column}`}>{values[column] as "safe"}</td>
      ))}
      {bands.length > 0 && countBands(row) === 0 && <td class="band-cell" colspan={bands.length}></td>}
      {countBands(row) === 0
        ? ""
        : bands.map((on, index) => {
            const cell = cells?.[index] ?? null;
            const to = cell ? toLog(on) : null;
            return (
              <td class={["band-cell", on === asked.band && "here"]}>
                <SlotMark state={cell} of={to ? `${words}, ${on}` : on} href={to ?? undefined} />
              </td>
            );
          })}
    </tr>
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

const Pages = ({ total, perPage, ...props }: Addressed & { total: number; perPage: number }) => {
  const { page } = props.look;
  const last = Math.ceil(total / perPage);
  const linkTo = (other: number) => (other < 1 || other > last ? null : live(buildAwardPath(props, { page: other })));
  const range = AWARD_TEXTS.range(
    grouped((page - 1) * perPage + 1),
    grouped(Math.min(total, page * perPage)),
    grouped(total),
  );
  return (
    <Pager label={AWARD_TEXTS.pages} previous={linkTo(page - 1)} next={linkTo(page + 1)}>
      <span class="muted" id="slots-range" data-say="" safe>
        {range}
      </span>
    </Pager>
  );
};

const nameOf = ({ label, band, group }: SlotName): string =>
  [label, band, group].filter((part) => part !== null).join(" ");
