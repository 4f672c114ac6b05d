import { expect, test } from "bun:test";
import { loadCountryFile } from "../../src/callsign/country-file.ts";
import { listEntityPlaces } from "../../src/callsign/facts.ts";
import { ENTITIES } from "../../src/domain/radio/entity.ts";

test("every current entity has a position, and no deleted one", async () => {
  const places = listEntityPlaces(await loadCountryFile());

  const current = ENTITIES.filter(({ deleted }) => !deleted).map(({ number }) => number);
  expect(places.map(({ dxcc }) => dxcc)).toEqual(current.sort((a, b) => a - b));
});

test("positive positions are north of the equator and east of Greenwich", async () => {
  const places = listEntityPlaces(await loadCountryFile());

  const signsOf = (name: string) => {
    const { lat, lon } = places.find((place) => place.name === name)!;
    return [Math.sign(lat), Math.sign(lon)];
  };
  expect(signsOf("Japan")).toEqual([1, 1]);
  expect(signsOf("Brazil")).toEqual([-1, -1]);
});
