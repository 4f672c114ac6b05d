import { AppError } from "../../src/kernel/errors.ts";
import { isLoopback } from "../../src/kernel/addresses.ts";

/** The normal form of a server's address: with its path, without a slash at the end. */
export const serverAddress = (text: string): string => {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new AppError("invalid", "Enter the server's address, starting with http:// or https://.");
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new AppError("invalid", "Enter the server's address without a query, fragment or password.");
  }
  return url.toString().replace(/(?<!\/)\/+$/, "");
};

/** Refuses to send a token over an unencrypted connection. */
export const assertPrivate = (address: string, insecure: boolean): void => {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" || isLoopback(hostname) || insecure) return;
  throw new AppError(
    "invalid",
    `${address} uses plain http, so others on the network could read what you send. Use https, or --insecure to send it anyway.`,
  );
};
