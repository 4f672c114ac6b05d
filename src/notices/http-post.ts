import { AddressRanges, isPublicAddress, normaliseAddress } from "../kernel/addresses.ts";
import { SECOND } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { untilAborted } from "../kernel/until-aborted.ts";
import type { World } from "../world.ts";

export type PostDeps = Pick<World, "config" | "lookup" | "deadline">;

export interface HttpRequest {
  url: string;
  headers: Record<string, string>;
  body: string;
}

const PATIENCE_MS = 10 * SECOND;

/**
 * Sends a request, or says why it failed. It connects only to the IP address that was checked, to prevent SSRF by DNS
 * rebinding.
 */
export const post = async (
  deps: PostDeps,
  { url, headers, body }: HttpRequest,
  stopping?: AbortSignal,
): Promise<void> => {
  const patience = deps.deadline(PATIENCE_MS);
  const signal = stopping ? AbortSignal.any([stopping, patience]) : patience;
  const target = new URL(url);
  const name = nameOf(target);
  const direct = new URL(url);
  direct.hostname = addBrackets(await resolveAddress(deps, target, signal));
  const request = {
    method: "POST",
    headers: { ...headers, host: target.host },
    body,
    redirect: "manual",
    signal,
    keepalive: false,
    // A proxy would resolve the name again.
    proxy: false,
    ...(normaliseAddress(name) === null ? { tls: { serverName: name } } : {}),
  };
  const response = await fetch(direct, request as RequestInit).catch((error: unknown) => {
    stopping?.throwIfAborted();
    throw createUnreachableError(name, error);
  });
  await response.body?.cancel();
  if (!response.ok) throw createRefusedError(name, response);
};

const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");
const addBrackets = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** Returns an allowed address. Plain HTTP is allowed only within the operator's networks. */
const resolveAddress = async (
  { config, lookup }: PostDeps,
  { protocol, hostname }: URL,
  signal: AbortSignal,
): Promise<string> => {
  const name = nameOf(new URL(`${protocol}//${hostname}`));
  const find = () =>
    untilAborted(lookup(name), signal).catch((error: unknown) => {
      throw createUnreachableError(name, error);
    });
  const found = normaliseAddress(name) === null ? await find() : [name];
  const allowed = new AddressRanges(config.noticeNetworks);
  const local = found.find((address) => !isPublicAddress(address) && allowed.has(address));
  if (local !== undefined) return local;
  const open = found.find(isPublicAddress);
  if (open === undefined) {
    throw new AppError(
      "forbidden",
      `${name} is on a local network, which this server does not allow. Its operator can allow it with QSOLOG_NOTICE_NETWORKS.`,
      { rule: "local_address" },
    );
  }
  if (protocol !== "https:") {
    throw new AppError("forbidden", "Use an https address. http only works on the local network.", {
      rule: "local_address",
    });
  }
  return open;
};

const REASONS: Record<string, string> = {
  ConnectionRefused: "nothing answers at that address",
  ECONNREFUSED: "nothing answers at that address",
  FailedToOpenSocket: "there is no route to it",
  ENOTFOUND: "this host does not exist",
  EAI_AGAIN: "its name could not be resolved",
  DNS_ENOTFOUND: "this host does not exist",
  ECONNRESET: "the connection broke off",
  ConnectionClosed: "the connection broke off",
  TimeoutError: `no answer within ${PATIENCE_MS / SECOND} seconds`,
};

/** Unknown codes are about the certificate or the protocol. */
const createUnreachableError = (name: string, error: unknown): AppError => {
  const { code = "", name: kind } = error as NodeJS.ErrnoException;
  const reason = REASONS[code] ?? REASONS[kind] ?? (code === "" ? "the request failed" : code);
  return new AppError("upstream", `Could not reach ${name}: ${reason}.`, { cause: error });
};

const createRefusedError = (name: string, { status, headers }: Response): AppError => {
  const leads =
    status >= 300 && status < 400 ? " It redirects to another address, and redirects are not followed." : "";
  const wait = Number(headers.get("retry-after"));
  return new AppError("upstream", `${name} answered ${status}.${leads}`, {
    retryAfterSeconds: wait > 0 ? wait : undefined,
  });
};
