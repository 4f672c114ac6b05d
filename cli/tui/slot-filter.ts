import { SAT, type AwardId, type SlotName } from "../../src/domain/awards/award.ts";
import { MODE_GROUPS } from "../../src/domain/radio/mode.ts";
import { ALASKA, HAWAII, USA } from "../../src/domain/radio/us-states.ts";
import type { FilterParameters } from "../../src/logbook/contract.ts";

/** The log filter for the contacts of a slot; null if there is none. */
export const getSlotFilter = (award: AwardId, { key, band, group }: SlotName): FilterParameters | null => {
  const place = award.startsWith("dxcc")
    ? { dxcc: String(key) }
    : award.startsWith("was")
      ? { state: String(key), dxcc: [USA, ALASKA, HAWAII].join(",") }
      : null;
  return (
    place && {
      ...place,
      ...(band === null || band === SAT ? {} : { band }),
      ...(group !== null && MODE_GROUPS.some((one) => one === group) ? { group } : {}),
    }
  );
};
