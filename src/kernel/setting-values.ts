import { resolve } from "node:path";
import { assertRanges, isLoopback } from "./addresses.ts";

// Parsers for settings. The caller puts the name of the setting in front of the error message.

export const wholeNumber = (value: string, low: number, high: number): number => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < low || number > high) {
    throw new Error(`must be a whole number from ${low} to ${high}, not ${JSON.stringify(value)}.`);
  }
  return number;
};

export const oneOf = <T extends string>(value: string, allowed: readonly T[]): T => {
  const found = allowed.find((word) => word === value.toLowerCase());
  if (!found) throw new Error(`must be ${allowed.join(" or ")}, not ${JSON.stringify(value)}.`);
  return found;
};

export function parsePace(value: string): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number < 0 || number > 100) {
    throw new Error(`must be a number from 0 to 100, not ${JSON.stringify(value)}.`);
  }
  return number;
}

export function parseSecret(value: string): string {
  if (Buffer.byteLength(value) < 32) throw new Error("must have at least 32 bytes.");
  return value;
}

export function parseAddresses(value: string): string[] {
  const texts = value
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");
  assertRanges(texts);
  return texts;
}

const OF_OTHER_USE =
  /^(host|cookie|authorization|origin|referer|user-agent|forwarded|content-.*|x-forwarded-.*|sec-.*)$/;

/** The name of a header that no other part of HTTP uses. */
export function headerName(value: string): string {
  const name = value.toLowerCase();
  if (!/^[a-z0-9-]{1,64}$/.test(name) || OF_OTHER_USE.test(name)) {
    throw new Error(`must be the name of a header such as Remote-User, not ${JSON.stringify(value)}.`);
  }
  return name;
}

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export function parseDatabaseUrl(value: string): string {
  if (/^postgres(ql)?:\/\//.test(value)) {
    if (!URL.canParse(value)) throw new Error("must be a valid PostgreSQL address.");
    const mode = new URL(value).searchParams.get("sslmode");
    if (mode !== null && !SSL_MODES.includes(mode))
      throw new Error(`must have sslmode ${SSL_MODES.join(", ")}, not ${mode}.`);
    return value;
  }
  const path = value.replace(/^sqlite:(\/\/)?/, "");
  if (path === "" || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new Error("must be a path, sqlite:PATH or postgres://….");
  }
  return resolve(path);
}

/** A password travels there, so only this machine may be told it in plain text. */
export function smtpUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "") {
    throw new Error("must be an address such as smtps://user:password@mail.example.org.");
  }
  if (url.protocol === "smtp:" && url.username !== "" && !isLoopback(url.hostname)) {
    url.searchParams.set("tls", "required");
  }
  return url.toString();
}

export function mailAddress(value: string): string {
  if (/^[^@\s<>]+@[^@\s<>]+$/.test(value) || /^[^<>@\r\n]*<[^@\s<>]+@[^@\s<>]+>$/.test(value)) return value;
  throw new Error(`must be an e-mail address, not ${JSON.stringify(value)}.`);
}

export function serviceUrl(value: string): string {
  const plain = plainUrl(value);
  const { protocol, hostname } = new URL(plain);
  if (protocol === "http:" && !isLoopback(hostname)) {
    throw new Error("must be an https address, because passwords are sent there. Only this machine can use http.");
  }
  return plain;
}

/** An issuer must match exactly, so a trailing slash is kept. */
export function issuerUrl(value: string): string {
  serviceUrl(value);
  return value;
}

export const plainUrl = (value: string): string => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error("must be an http or https address.");
  if (url.search || url.hash || url.username || url.password) {
    throw new Error("must be an address without a query, fragment or password.");
  }
  return url.toString().replace(/(?<!\/)\/+$/, "");
};
