import { MEMBER_FLAG } from "../../domain/origins/first.ts";
import type { Need, NeedState } from "../../domain/awards/need.ts";

/** What a callsign would bring, with the field names of the Wavelog interface. */
export const lookupOf = (need: Need) => {
  const dxcc = need.awards.find(({ award }) => award === "dxcc");
  const isConfirmed = (state: NeedState | null | undefined) => state === "confirmed";
  return {
    callsign: need.call,
    dxcc: need.entity?.name.toUpperCase() ?? "",
    dxcc_id: String(need.entity?.dxcc ?? ""),
    dxcc_cqz: String(need.cqZone ?? ""),
    dxcc_ituz: need.ituZone ?? 0,
    cont: need.continent ?? "",
    name: "",
    gridsquare: need.earlier?.gridsquare ?? "",
    location: "",
    state: need.earlier?.state ?? "",
    call_worked: need.worked.count > 0,
    call_worked_band: need.worked.onBand,
    call_worked_band_mode: need.worked.onBandInMode,
    call_confirmed: need.confirmed.call,
    call_confirmed_band: need.confirmed.onBand,
    call_confirmed_band_mode: need.confirmed.onBandInMode,
    dxcc_confirmed: isConfirmed(dxcc?.state),
    dxcc_confirmed_on_band: isConfirmed(dxcc?.onBand),
    dxcc_confirmed_on_band_mode: isConfirmed(dxcc?.onBandInGroup),
    workedBefore: need.worked.count > 0,
    /** Not known here. */
    [MEMBER_FLAG]: null,
    latlng: need.place === null ? null : [need.place.lat, need.place.lon],
    bearing: need.bearing === null ? "" : `${need.bearing}° ${need.distanceKm} km`,
  };
};
