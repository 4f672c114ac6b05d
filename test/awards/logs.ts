import { derive, RULES_VERSION } from "../../src/domain/contact/derive.ts";
import type { User } from "../../src/domain/people/user.ts";
import { Awards } from "../../src/awards/book.ts";
import { addMany, type Snapshot } from "../../src/storage/log/qsos.ts";
import * as users from "../../src/storage/people/users.ts";
import { CHEAP_FACTS } from "../support/log-records.ts";
import { aFileRecord, aFirstRecord, aSecondRecord, theLayers, type Contact, type Said } from "../support/contacts.ts";
import { aUser, NOON, testWorld, type TestWorld } from "../support/world.ts";

/** A row as it is kept after its origins spoke. */
export const heard = (said: Said): Snapshot => {
  const layers = theLayers(said);
  const facts = { ...CHEAP_FACTS, isMobile: (call: string) => /\/(MM|AM)$/.test(call) };
  return { createdAt: NOON, updatedAt: NOON, rulesVersion: RULES_VERSION, ...layers, ...derive(layers, facts)! };
};

/** Worked, and nothing more. */
export const worked = (contact: Contact): Snapshot => heard({ file: aFileRecord({ dxcc: 291, ...contact }) });

/** Worked, and confirmed by the first service in the same words, or in its own. */
export const byFirst = (contact: Contact, confirmation: Contact = {}): Snapshot =>
  heard({ file: aFileRecord({ dxcc: 291, ...contact }), qsl: aFirstRecord({ ...contact, ...confirmation }) });

export const bySecond = (contact: Contact): Snapshot =>
  heard({ file: aFileRecord({ dxcc: 291, ...contact }), second: aSecondRecord({ ...contact, confirmed: true }) });

export const byCard = (contact: Contact): Snapshot =>
  worked({ ...contact, fields: { ...contact.fields, QSL_RCVD: "Y" } });

export interface Keeper {
  world: TestWorld;
  bob: User;
  book: Awards;
  /** Adds contacts as a page of a job does. */
  keep(...rows: Snapshot[]): Promise<void>;
}

export const aKeeper = async (...rows: Snapshot[]): Promise<Keeper> => {
  const world = await testWorld();
  const bob = await aUser(world, "bob");
  const keep = (...more: Snapshot[]) =>
    world.db.write(function* () {
      yield* addMany(bob.id, more);
      yield* users.raiseLogVersion(bob.id);
    });
  if (rows.length > 0) await keep(...rows);
  return { world, bob, book: new Awards(world), keep };
};
