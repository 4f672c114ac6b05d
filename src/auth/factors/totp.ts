/** Loaded at the first use, or when the server has started, because it loads Node's streams. */
export const loadTotp = (): typeof import("otpauth") => require("otpauth");

const SECRET_BYTES = 20;
/** Also accepts the codes before and after the current one: clocks differ, and typing takes time. */
const CODES_AROUND = 1;
const ISSUER = "qsolog";

/** The key of an authenticator app as text. */
export const createTotpSecret = (random: (bytes: number) => Uint8Array): string =>
  new (loadTotp().Secret)({ buffer: Uint8Array.from(random(SECRET_BYTES)).buffer }).base32;

/** The content of the QR code. The place distinguishes installations in the app. */
export const buildTotpUri = (secret: string, username: string, place: string): string =>
  new (loadTotp().TOTP)({ issuer: ISSUER, label: `${username}@${place}`, secret }).toString();

/** The time step of a code; null if it is not near the current one. */
export const findStep = (secret: string, code: string, now: number): number | null => {
  const totp = new (loadTotp().TOTP)({ secret });
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const away = totp.validate({ token, timestamp: now, window: CODES_AROUND });
  return away === null ? null : totp.counter({ timestamp: now }) + away;
};
