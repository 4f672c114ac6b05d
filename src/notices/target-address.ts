import { AppError, invalidField } from "../kernel/errors.ts";
import { MAX_ADDRESS_LENGTH, type TargetKind } from "../domain/people/notice.ts";
import type { Target } from "../storage/people/notices.ts";
import type { Vault } from "../kernel/vault.ts";
import type { Address } from "./payload.ts";

const MAX_TOKEN_LENGTH = 200;

/** Mail is only sent to the user's own address, so that nobody sends mail to strangers. */
export const parseTargetUrl = (kind: TargetKind, text: string, ownEmail: string | null): URL => {
  const given = text.trim();
  if (kind !== "mail") return parseHttpUrl(kind, given);
  if (ownEmail === null || given.toLowerCase() !== ownEmail.toLowerCase())
    throw invalidField("url", "Enter the e-mail address of your profile.");
  return new URL(`mailto:${encodeURIComponent(ownEmail).replace("%40", "@")}`);
};

/** The URL can be passed on, so it must not contain a username or password. */
const parseHttpUrl = (kind: TargetKind, given: string): URL => {
  const url = given.length <= MAX_ADDRESS_LENGTH && URL.canParse(given) ? new URL(given) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw invalidField("url", "Enter an https address.");
  if (url.username || url.password || url.hash) {
    throw invalidField("url", "Enter an address without a username, password or fragment (#).");
  }
  if (kind === "ntfy" && (url.search || !/^(\/[\w-]+)+\/?$/.test(url.pathname))) {
    throw invalidField("url", "Enter the address of an ntfy topic, such as https://ntfy.sh/my-log.");
  }
  return url;
};

/** The access token of an ntfy topic. */
export const parseAccessToken = (token: string | null | undefined): string | null => {
  const given = token?.trim() ?? "";
  if (given === "") return null;
  if (given.length <= MAX_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(given)) return given;
  throw invalidField("token", "This is not a valid access token.");
};

type Sealed = Pick<Target, "userId" | "kind" | "host">;

const getBinding = ({ userId, kind, host }: Sealed) => ({ userId, source: kind, account: host });

export const sealAddress = (vault: Vault, target: Sealed, address: Address): Uint8Array =>
  vault.seal(JSON.stringify(address), getBinding(target));

/** Decrypts the URL for one request. */
export const openAddress = (vault: Vault, target: Target): Address => {
  try {
    return JSON.parse(vault.open(target.sealed, getBinding(target))) as Address;
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause;
    const message = "The stored address cannot be decrypted, because the server's secret has changed. Add it again.";
    throw new AppError("unavailable", message, { rule: "sealed_elsewhere", cause });
  }
};
