import { AppError } from "./errors.ts";

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const SEALED_ELSEWHERE =
  "The stored account cannot be decrypted, because the server's secret has changed. Enter the account again.";

/** What an encrypted value belongs to. It cannot be decrypted after being copied elsewhere. */
export interface Binding {
  userId: number;
  source: string;
  account: string;
}

/** Encrypts values with keys derived from the installation's secret, one key for each purpose. */
export interface Vault {
  seal(text: string, binding: Binding): Uint8Array;
  /** Throws if the value was changed, copied from elsewhere, or encrypted with another secret. */
  open(sealed: Uint8Array, binding: Binding): string;
  /** A keyed hash: equal texts give equal fingerprints, which reveal nothing. */
  fingerprint(purpose: string, text: string): string;
  key(purpose: string): Uint8Array;
}

/** Loaded on first use, because it takes as long as a short command, and most commands decrypt nothing. */
const nodeCrypto = () => process.getBuiltinModule("node:crypto");

const hmac = (key: Uint8Array | string, text: Uint8Array | string): Uint8Array =>
  new Bun.CryptoHasher("sha256", key).update(text).digest();

export const createVault = (secret: Uint8Array, random: (bytes: number) => Uint8Array): Vault => {
  const extracted = hmac("qsolog", secret);
  /** HKDF with SHA-256, whose first block is the whole key. */
  const key = (purpose: string) => hmac(extracted, Buffer.from(`${purpose}\x01`));
  const sealing = key("credentials");
  return {
    key,
    seal(text, binding) {
      const nonce = random(NONCE_BYTES);
      const cipher = nodeCrypto().createCipheriv(ALGORITHM, sealing, nonce).setAAD(labelOf(binding));
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Uint8Array.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, binding) {
      try {
        if (sealed[0] !== VERSION) throw new Error(`sealed in an unknown way: ${sealed[0]}`);
        const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
        const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES);
        const body = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES);
        const decipher = nodeCrypto().createDecipheriv(ALGORITHM, sealing, nonce, { authTagLength: TAG_BYTES });
        decipher.setAAD(labelOf(binding)).setAuthTag(tag);
        return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
      } catch (cause) {
        throw new AppError("unavailable", SEALED_ELSEWHERE, { rule: "sealed_elsewhere", cause });
      }
    },
    fingerprint: (purpose, text) => Buffer.from(hmac(key(purpose), text)).toString("hex"),
  };
};

const labelOf = ({ userId, source, account }: Binding): Buffer =>
  Buffer.from(JSON.stringify([userId, source, account]));
