import { Secret, TOTP } from "otpauth";

const SECRET_BYTES = 20;
/** The codes before and after the one of this moment count too: clocks differ, and typing takes time. */
const CODES_AROUND = 1;
const ISSUER = "qsolog";

/** The key of an authenticator app, as people type it where no camera reads it. */
export const newTotpSecret = (random: (bytes: number) => Uint8Array): string =>
  new Secret({ buffer: Uint8Array.from(random(SECRET_BYTES)).buffer }).base32;

/** What the picture for an authenticator app says; the place tells one installation from another. */
export const totpAddress = (secret: string, username: string, place: string): string =>
  new TOTP({ issuer: ISSUER, label: `${username}@${place}`, secret }).toString();

/** Which moment a code belongs to; null where it is none of these minutes. */
export const stepOf = (secret: string, code: string, now: number): number | null => {
  const totp = new TOTP({ secret });
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const away = totp.validate({ token, timestamp: now, window: CODES_AROUND });
  return away === null ? null : totp.counter({ timestamp: now }) + away;
};
