import type { AwardMatrix, Cell } from "../../../src/domain/awards/award.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import { BAND_NAMES, USUAL_BANDS } from "../../../src/domain/radio/band.ts";
import type { Logbook } from "../../client/logbook.ts";
import { shortenBand } from "../../words.ts";
import { CELL_SIGNS } from "../awards/lines.ts";
import { formatCell, type Line, type Span } from "../line.ts";

const GROUPS = [
  ["cw", "CW"],
  ["phone", "Phone"],
  ["digital", "Digital"],
] as const;

/** DXCC on every band, for each mode group. */
export type EntitySlots = readonly (readonly [group: string, matrix: AwardMatrix])[];

export const loadEntitySlots = (client: Pick<Logbook, "matrix">, asOf: string | undefined): Promise<EntitySlots> =>
  Promise.all(GROUPS.map(async ([group]) => [group, await client.matrix("dxcc", { group, asOf })] as const));

type Here = Pick<QsoView, "dxcc" | "entity" | "band" | "modeGroup">;

const LABEL_WIDTH = 10;
const CELL_WIDTH = 4;

/** What is worked and confirmed of a contact's entity, with the contact's own slot marked. */
export const renderEntitySlots = (slots: EntitySlots, here: Here, isPlain: boolean): Line[] => {
  const states = new Map(slots.map(([group, matrix]) => [group, getBandStates(matrix, here.dxcc!)]));
  const present = new Set<string | null>([...USUAL_BANDS, ...[...states.values()].flatMap((one) => [...one.keys()])]);
  const bands = BAND_NAMES.filter((band) => present.has(band) || band === here.band);
  const title: Line = [[` ${here.entity} by band, for DXCC`, "title"]];
  if (isPlain)
    return [title, ...GROUPS.map(([group, name]): Line => [`   ${name}: ${listStates(states.get(group)!)}`])];
  return [
    title,
    [" ".repeat(LABEL_WIDTH), ...bands.map((band): Span => [formatTitle(shortenBand(band)), "title"])],
    ...GROUPS.map(([group, name]): Line => [
      formatCell(`   ${name}`, LABEL_WIDTH),
      ...bands.flatMap((band) =>
        renderSlot(states.get(group)!.get(band) ?? null, band === here.band && group === here.modeGroup),
      ),
    ]),
  ];
};

const getBandStates = ({ rows, bands }: AwardMatrix, dxcc: number): Map<string, Cell> => {
  const cells = rows.find(({ key }) => key === dxcc)?.cells ?? [];
  return new Map(cells.flatMap((state, at) => (state === null ? [] : [[bands[at]!, state]])));
};

const listStates = (states: ReadonlyMap<string, Cell>): string =>
  states.size === 0 ? "not worked" : [...states].map(([band, state]) => `${band} ${state}`).join(", ");

const renderSlot = (state: Cell | null, isHere: boolean): Span[] => {
  const sign = state === null ? "·" : CELL_SIGNS[state];
  const tone = state ?? "quiet";
  return isHere ? [" [", [sign, tone], "]"] : ["  ", [sign, tone], " "];
};

/** Above the signs, which have a blank behind them. */
const formatTitle = (band: string): string =>
  formatCell(band.length < CELL_WIDTH ? `${band} ` : band, CELL_WIDTH, "right");
