import type { Cell } from "../../../src/domain/awards/award.ts";
import {
  listEntitySlots,
  loadDxccMatrices,
  SLOT_GROUPS,
  type DxccMatrices,
  type EntitySlot,
  type SlotGroup,
} from "../../../src/domain/awards/entity-slots.ts";
import type { Logbook } from "../../client/logbook.ts";
import { shortenBand } from "../../words.ts";
import { CELL_SIGNS } from "../awards/lines.ts";
import { formatCell } from "../../table.ts";
import { type Line, type Span } from "../line.ts";

export const loadEntitySlots = (client: Pick<Logbook, "matrix">, asOf?: string): Promise<DxccMatrices> =>
  loadDxccMatrices((group) => client.matrix("dxcc", { group, asOf }));

/** The contact whose slot is marked. */
interface SlotOfContact {
  dxcc: number;
  entity: string | null;
  band: string | null;
  modeGroup: string | null;
}

const GROUP_NAMES: Record<SlotGroup, string> = { cw: "CW", phone: "Phone", digital: "Digital" };
const LABEL_WIDTH = 10;
const CELL_WIDTH = 4;

/** What is worked and confirmed of a contact's entity, with the contact's own slot marked. */
export const renderEntitySlots = (matrices: DxccMatrices, here: SlotOfContact, isPlain: boolean): Line[] => {
  const slots = Map.groupBy(listEntitySlots(matrices, here.dxcc, here.band), ({ group }) => group);
  const title: Line = [[` ${here.entity} by band, for DXCC`, "title"]];
  if (isPlain)
    return [title, ...SLOT_GROUPS.map((group): Line => [`   ${GROUP_NAMES[group]}: ${listStates(slots.get(group)!)}`])];
  return [
    title,
    [" ".repeat(LABEL_WIDTH), ...slots.get("cw")!.map(({ band }): Span => [formatTitle(shortenBand(band)), "title"])],
    ...SLOT_GROUPS.map((group): Line => [
      formatCell(`   ${GROUP_NAMES[group]}`, LABEL_WIDTH),
      ...slots
        .get(group)!
        .flatMap(({ band, state }) => renderSlot(state, band === here.band && group === here.modeGroup)),
    ]),
  ];
};

const listStates = (slots: readonly EntitySlot[]): string =>
  slots.flatMap(({ band, state }) => (state === null ? [] : [`${band} ${state}`])).join(", ") || "not worked";

const renderSlot = (state: Cell | null, isHere: boolean): Span[] => {
  const sign = state === null ? "·" : CELL_SIGNS[state];
  const tone = state ?? "quiet";
  return isHere ? [" [", [sign, tone], "]"] : ["  ", [sign, tone], " "];
};

/** Above the signs, which have a blank behind them. */
const formatTitle = (band: string): string =>
  formatCell(band.length < CELL_WIDTH ? `${band} ` : band, CELL_WIDTH, "right");
