import { describe, expect, test } from "bun:test";
import { createHmac, hkdfSync } from "node:crypto";
import { byOwner } from "../src/logbook/caller.ts";
import { AppError } from "../src/kernel/errors.ts";
import type { User } from "../src/domain/people/user.ts";
import { many, run } from "../src/storage/engine/unit.ts";
import { listServices } from "../src/logbook/services.ts";
import { setCredentials, testCredentials } from "../src/sync/source/credentials.ts";
import { createVault, type Binding } from "../src/kernel/vault.ts";
import { lazyVault } from "../src/world.ts";
import { aBob, aLiveWorld, KEY, LOGIN, PASSWORD, synced, writtenIn } from "./sync/services.ts";
import { testRandom } from "./support/world.ts";

const asker = ({ id, username }: User) => byOwner({ id, username });

const SECRET = new TextEncoder().encode("a secret of more than thirty-two bytes");
const BOB: Binding = { userId: 2, source: "first", account: "main" };

const aVault = (secret = SECRET, seed = 1) => createVault(secret, testRandom(seed));

const errorOf = (open: () => unknown): unknown => {
  try {
    open();
  } catch (error) {
    return error;
  }
  return null;
};

const CANNOT = { code: "unavailable", rule: "sealed_elsewhere" };

describe("the vault", () => {
  test("derives its keys as HKDF with SHA-256 does", () => {
    for (const secret of [SECRET, new Uint8Array(32), new Uint8Array(200).fill(7)])
      for (const purpose of ["credentials", "", "Érd", "x".repeat(300)]) {
        const key = new Uint8Array(hkdfSync("sha256", secret, "qsolog", purpose, 32));
        expect(new Uint8Array(aVault(secret).key(purpose))).toEqual(key);
        expect(aVault(secret).fingerprint(purpose, "text")).toBe(
          createHmac("sha256", key).update("text").digest("hex"),
        );
      }
  });

  // Defence: service credentials are encrypted with AES-256-GCM, bound to user, service and account, under a derived key
  test("decrypts what it encrypted", () => {
    const vault = aVault();
    for (const text of ["", "p@ss w&rd=1+%", "Érd 日本 🎧", "x".repeat(10_000)]) {
      expect(vault.open(vault.seal(text, BOB), BOB)).toBe(text);
    }
  });

  // Defence: service credentials are encrypted with AES-256-GCM, bound to user, service and account, under a derived key
  test("never encrypts the same text twice to the same result", () => {
    const vault = aVault();
    const [one, two] = [vault.seal("correct horse", BOB), vault.seal("correct horse", BOB)];

    expect(one).not.toEqual(two);
    expect(Buffer.from(one).toString("latin1")).not.toContain("horse");
  });

  test.each<[string, Binding]>([
    ["user", { ...BOB, userId: 3 }],
    ["service", { ...BOB, source: "second" }],
    ["account", { ...BOB, account: "other" }],
  ])("rejects what belongs to another %s", (_, other) => {
    const vault = aVault();

    expect(errorOf(() => vault.open(vault.seal("x", BOB), other))).toMatchObject(CANNOT);
  });

  // Defence: service credentials are encrypted with AES-256-GCM, bound to user, service and account, under a derived key
  test("rejects another secret, and any changed byte or length", () => {
    const vault = aVault();
    const sealed = vault.seal("correct horse", BOB);

    expect(errorOf(() => aVault(SECRET.slice(1)).open(sealed, BOB))).toMatchObject(CANNOT);
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed, (byte, at) => (at === index ? byte ^ 1 : byte));
      expect(errorOf(() => vault.open(changed, BOB))).toMatchObject(CANNOT);
      expect(errorOf(() => vault.open(sealed.slice(0, index), BOB))).toMatchObject(CANNOT);
    }
  });

  // Defence: each purpose has its own key (HKDF)
  test("has a key for each purpose, and fingerprints that distinguish logins", () => {
    const vault = aVault();

    expect(vault.key("sessions")).not.toEqual(vault.key("credentials"));
    expect(vault.fingerprint("account", "first ann")).toBe(aVault(SECRET, 2).fingerprint("account", "first ann"));
    const others = [
      vault.fingerprint("account", "first bob"),
      vault.fingerprint("other", "first ann"),
      aVault(SECRET.slice(1)).fingerprint("account", "first ann"),
    ];
    expect(new Set([...others, vault.fingerprint("account", "first ann")]).size).toBe(4);
  });
});

describe("stored credentials that cannot be decrypted", () => {
  const rowsOfBob = "copied to another user";
  // Defence: credentials that the secret cannot open give an error message, not a crash
  test.each([rowsOfBob, "sealed under another secret"])("because they were %s fail clearly", async (why) => {
    const live = await aLiveWorld();
    const ann = await aBob(live.world, "ann");
    expect((await synced(live, "first")).status).toBe("completed");
    if (why === rowsOfBob) {
      await live.world.db.write(function* () {
        const [row] = yield* many<{ sealed: Uint8Array }>`
          SELECT sealed FROM service_credentials WHERE user_id = ${ann.id} AND source = 'first'`;
        yield* run`UPDATE service_credentials SET sealed = ${row!.sealed}
                   WHERE user_id = ${live.bob.id} AND source = 'first'`;
      });
    } else {
      const config = { ...live.world.config, secret: "another secret of more than thirty-two bytes" };
      live.world.vault = lazyVault(config, testRandom(9));
    }
    const [before, asked] = [await writtenIn(live), live.first.requests.length];

    const refused = await synced(live, "first").catch((error: unknown) => error);
    const tested = await testCredentials(live.world, live.bob.id, "first").catch((error: unknown) => error);

    for (const refusal of [refused, tested]) {
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal).toMatchObject({ rule: "sealed_elsewhere" });
      expect((refusal as AppError).message).toContain("Enter the account again");
    }
    expect(await writtenIn(live)).toEqual(before);
    expect(live.first.requests).toHaveLength(asked);
    const [listed] = (await listServices(live.world, asker(live.bob))).services;
    expect(listed).toMatchObject({ source: "first", configured: true, state: "sealed_elsewhere" });

    await setCredentials(live.world, live.bob.id, "first", { username: LOGIN, password: PASSWORD });
    expect((await synced(live, "first")).status).toBe("completed");
  });

  // Defence: stored credentials are never returned
  test("are never returned by the list", async () => {
    const live = await aLiveWorld();

    const text = JSON.stringify(await listServices(live.world, asker(live.bob)));

    expect(text).toContain("YU1TEST");
    for (const secret of [PASSWORD, LOGIN, KEY]) expect(text).not.toContain(secret);
  });
});
