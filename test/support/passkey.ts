import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { sealKey } from "../../src/auth/factors/passkeys.ts";
import type { User } from "../../src/domain/people/user.ts";
import * as passkeys from "../../src/storage/people/passkeys.ts";
import type { World } from "../../src/world.ts";

const USER_PRESENT_AND_VERIFIED = 0x05;

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest();

/** A passkey of a user, and the answers of its authenticator. */
export const aPasskey = async ({ db, vault, clock }: Pick<World, "db" | "vault" | "clock">, user: User) => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x, y } = publicKey.export({ format: "jwk" });
  const key = coseOf(Buffer.from(x!, "base64url"), Buffer.from(y!, "base64url")).toString("base64url");
  const credentialId = sha256(key).toString("base64url");
  const owned = { userId: user.id, credentialId };
  const sealed = sealKey(vault, owned, key);
  await db.write(() => passkeys.add({ ...owned, sealed, transports: [], counter: 0, name: "Laptop" }, clock()));
  let counter = 0;
  return (challenge: string, url: string) => {
    const { hostname, origin } = new URL(url);
    const clientData = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
    const count = Buffer.alloc(4);
    count.writeUInt32BE(++counter);
    const authenticatorData = Buffer.concat([sha256(hostname), Buffer.of(USER_PRESENT_AND_VERIFIED), count]);
    const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
    return {
      id: credentialId,
      rawId: credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: signature.toString("base64url"),
      },
    };
  };
};

/** {kty: EC2, alg: ES256, crv: P-256, x, y} in CBOR. */
const coseOf = (x: Uint8Array, y: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from("a5010203262001215820", "hex"), x, Buffer.from("225820", "hex"), y]);
