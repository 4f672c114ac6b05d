import { expect, test } from "bun:test";
import { derive } from "../../src/domain/contact/derive.ts";
import { NO_LAYERS } from "../../src/domain/contact/layers.ts";
import { firstOrigin } from "../../src/domain/origins/first.ts";
import { secondOrigin } from "../../src/domain/origins/second.ts";
import { ownerOrigin } from "../../src/domain/origins/owner.ts";
import { aLog } from "./log-generator.ts";
import { asFile, asFirst, asSecond, CHEAP_FACTS } from "./log-records.ts";

const MINUTE = 60_000;

test("the same options give the same log, and another seed another one", () => {
  const log = (seed: number) => JSON.stringify([...aLog({ contacts: 50, seed })]);

  expect(log(1)).toBe(log(1));
  expect(log(1)).not.toBe(log(2));
});

test("a large log covers the world, bands, modes and years", () => {
  const log = [...aLog({ contacts: 20_000 })];

  const different = (of: (contact: (typeof log)[number]) => unknown) => new Set(log.map(of)).size;
  expect(different(({ partner }) => partner.dxcc)).toBeGreaterThan(240);
  expect(different(({ band }) => band)).toBe(13);
  expect(different(({ group }) => group)).toBe(4);
  expect(different(({ at }) => new Date(at).getUTCFullYear())).toBe(32);
  expect(log.every(({ at }, index) => index === 0 || at >= log[index - 1]!.at)).toBe(true);
});

test("every source has the same contacts", () => {
  for (const contact of aLog({ contacts: 300 })) {
    const { partner, at, band, group, isConfirmedByFirst, isConfirmedBySecond } = contact;
    const told = [
      ownerOrigin.merge(NO_LAYERS, asFile(contact)),
      firstOrigin.merge(NO_LAYERS, asFirst(contact), isConfirmedByFirst ? "qsl" : "qso"),
      secondOrigin.merge(NO_LAYERS, asSecond(contact)),
    ].map((layers) => derive(layers, CHEAP_FACTS)!);

    for (const { call, startedAt, band: saidBand, modeGroup } of told) {
      const minute = Math.floor(startedAt / MINUTE);
      expect([call, minute, saidBand, modeGroup]).toEqual([partner.call, Math.floor(at / MINUTE), band, group]);
    }
    expect(told[1]!.firstConfirmed).toBe(isConfirmedByFirst);
    expect(told[2]!.secondConfirmed).toBe(isConfirmedBySecond);
    expect(told[1]!.firstEntity).toBe(isConfirmedByFirst ? partner.dxcc : null);
  }
});
