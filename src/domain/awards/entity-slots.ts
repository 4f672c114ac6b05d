import { BAND_NAMES, USUAL_BANDS } from "../radio/band.ts";
import type { AwardMatrix, Cell } from "./award.ts";

/** The mode groups that count separately for an entity, in the order of its table. */
export const SLOT_GROUPS = ["cw", "phone", "digital"] as const;
export type SlotGroup = (typeof SLOT_GROUPS)[number];

/** DXCC on every band, for each mode group. */
export type DxccMatrices = Readonly<Record<SlotGroup, AwardMatrix>>;

export const loadDxccMatrices = async (ask: (group: SlotGroup) => Promise<AwardMatrix>): Promise<DxccMatrices> => {
  const [cw, phone, digital] = await Promise.all(SLOT_GROUPS.map(ask));
  return { cw: cw!, phone: phone!, digital: digital! };
};

export interface EntitySlot {
  band: string;
  group: SlotGroup;
  state: Cell | null;
}

/** The state of an entity on every usual band, on those where it was worked, and on this one, for each mode group. */
export const listEntitySlots = (matrices: DxccMatrices, dxcc: number, band: string | null): EntitySlot[] => {
  const states = new Map<string, Cell>(
    SLOT_GROUPS.flatMap((group) => {
      const { rows, bands } = matrices[group];
      const cells = rows.find(({ key }) => key === dxcc)?.cells ?? [];
      return cells.flatMap((state, at) => (state === null ? [] : [[`${group} ${bands[at]}`, state] as const]));
    }),
  );
  const isWorkedOn = (one: string) => SLOT_GROUPS.some((group) => states.has(`${group} ${one}`));
  const shown = BAND_NAMES.filter(
    (one) => one === band || USUAL_BANDS.some((usual) => usual === one) || isWorkedOn(one),
  );
  return SLOT_GROUPS.flatMap((group) =>
    shown.map((one) => ({ band: one, group, state: states.get(`${group} ${one}`) ?? null })),
  );
};
