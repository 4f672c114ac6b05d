import { expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { listEntityPlaces } from "../../src/callsign/entity-places.ts";
import { ENTITIES } from "../../src/domain/radio/entity.ts";

test("every current entity has a place, and no deleted one has", async () => {
  const places = listEntityPlaces(await loadCountryFile());

  const current = ENTITIES.filter(({ deleted }) => !deleted).map(({ number }) => number);
  expect(places.map(({ dxcc }) => dxcc)).toEqual(current.sort((a, b) => a - b));
});

test("places lie north of the equator and east of Greenwich where their figures are positive", async () => {
  const places = listEntityPlaces(await loadCountryFile());

  const signsOf = (name: string) => {
    const { lat, lon } = places.find((place) => place.name === name)!;
    return [Math.sign(lat), Math.sign(lon)];
  };
  expect(signsOf("Japan")).toEqual([1, 1]);
  expect(signsOf("Brazil")).toEqual([-1, -1]);
});
