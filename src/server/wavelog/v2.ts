import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import { AppError, type ErrorCode } from "../../kernel/errors.ts";
import type { QsoView } from "../../domain/contact/qso-view.ts";
import { contact, deleteContact, editContact, listContacts } from "../../logbook/contacts.ts";
import { need } from "../../logbook/need.ts";
import {
  contactsAfter,
  countAfter,
  listAfter,
  radios,
  tellOfRadio,
  upload,
  uploadFields,
} from "../../logbook/programs.ts";
import { findStation, stations, type Station } from "../../logbook/stations.ts";
import { bearerOf } from "../http/admit.ts";
import { HTTP_STATUS, retryHeaders } from "../http/errors.ts";
import { countIn, readFields, textIn, wordIn } from "./body.ts";
import { programOf, refusalIn, type Program, type Question, type WavelogRoute } from "./door.ts";
import { lookupOf } from "./lookup.ts";
import { editIn, fieldsIn, FURTHER } from "./qso-fields.ts";
import { radioIn, radioView } from "./radio.ts";
import { jsonResponse } from "../http/response.ts";

/** Version 2 of the Wavelog interface, as far as programs use it: a bearer token, `{data,meta}` or `{error}`. */

interface Call extends Question {
  program: Program;
  query: URLSearchParams;
}

interface Answer {
  data: unknown;
  meta?: Record<string, unknown>;
  status?: number;
}

const CODES: Record<ErrorCode, string> = {
  invalid: "validation_error",
  unauthenticated: "invalid_token",
  forbidden: "insufficient_scope",
  not_found: "not_found",
  conflict: "conflict",
  too_large: "validation_error",
  rate_limited: "rate_limited",
  upstream: "internal_error",
  unavailable: "internal_error",
  internal: "internal_error",
};

const MAX_PAGE_SIZE = 5_000;
const PAGES_AT_ONCE = 500;
/** Of the contacts with all their fields. A page of 5,000 usual ones has half of it. */
const MAX_CHARACTERS = 32_000_000;

const failure = (error: AppError): Response => {
  const { code, message, retryAfterSeconds } = error;
  const details = retryAfterSeconds === undefined ? {} : { details: { retry_after: retryAfterSeconds } };
  const status = HTTP_STATUS[code === "too_large" ? "invalid" : code];
  return jsonResponse({ error: { code: CODES[code], message, ...details } }, status, retryHeaders(error));
};

const keyed =
  (resource: string, needs: "feed" | "lookup", handle: (call: Call) => Promise<Answer | null>) =>
  async (question: Question): Promise<Response> => {
    const { app, request } = question;
    try {
      const key = bearerOf(request) ?? request.headers.get("x-api-key")?.trim() ?? "";
      const program = await programOf(question, key, needs).catch((error: unknown) => {
        throw isOfThisForm(key) || !isUnauthenticated(error) ? error : needsOtherForm();
      });
      if (!isOfThisForm(key)) throw needsOtherForm();
      const answer = await handle({ ...question, program, query: new URL(request.url).searchParams });
      if (answer === null) return new Response(null, { status: 204 });
      return enveloped(app, request, resource, answer);
    } catch (error) {
      return failure(refusalIn(app, error));
    }
  };

const isOfThisForm = (key: string): boolean => key.startsWith("wl2_");

const isUnauthenticated = (error: unknown): boolean => error instanceof AppError && error.code === "unauthenticated";

const needsOtherForm = (): AppError =>
  new AppError("unauthenticated", "This endpoint needs a key that starts with wl2_.");

const enveloped = (app: App, { method }: Request, resource: string, { data, meta, status }: Answer): Response => {
  const timestamp = new Date(app.clock()).toISOString().replace(/\.\d+Z$/, "+00:00");
  const headers = { "cache-control": "no-store" };
  return jsonResponse({ data, meta: { timestamp, resource, method, ...meta } }, status ?? 200, headers);
};

const stationView = ({ id, name, callsign, grid, isActive }: Station) => ({
  id,
  name,
  callsign,
  gridsquare: grid ?? "",
  active: isActive,
});

const theStation = async ({ app, program, params: { id } }: Call): Promise<Station> => {
  const found = (await stations(app, program.asker)).find((one) => String(one.id) === id);
  if (!found) throw new AppError("not_found", "There is no such station.");
  return found;
};

const token = async ({ program: { caller } }: Call): Promise<Answer> => {
  const lookups = ["qso:read", "station:read", "statistic:read", "lookup:read", "radio:read"];
  return {
    data: {
      id: caller.tokenId,
      name: caller.tokenName,
      owner: caller.user.callsign ?? caller.user.username,
      user_id: caller.user.id,
      scopes: caller.scope === "feed" ? [...lookups, "qso:write", "qso:delete", "radio:write"] : lookups,
      expires_at:
        caller.expiresAt === null ? null : new Date(caller.expiresAt).toISOString().slice(0, 19).replace("T", " "),
    },
  };
};

const takeQso = async ({ app, request, program: { asker, client } }: Call): Promise<Answer> => {
  const fields = await readFields(request);
  const station = findStation(await stations(app, asker), fields.station_profile_id);
  const dryRun = fields.dryrun === true;
  const kind = textIn(fields.import_type) ?? "json";
  if (kind === "adif") {
    const { taken, remarks } = await upload(app, asker, { client, adif: textIn(fields.adif) ?? "", station, dryRun });
    if (taken.length === 0) throw new AppError("invalid", "The request contains no ADIF record.");
    return summaryOf(taken, remarks, dryRun);
  }
  if (kind !== "json") throw new AppError("invalid", `The import_type ${JSON.stringify(kind)} is not supported.`);
  const several = Array.isArray(fields.qsos) ? (fields.qsos as Record<string, unknown>[]) : null;
  const records = (several ?? [fields]).map(fieldsIn);
  const { taken, remarks } = await uploadFields(app, asker, { client, records, station, dryRun });
  if (several || dryRun) return summaryOf(taken, remarks, dryRun);
  const [one] = taken;
  if (one!.qsoId === null) throw new AppError("invalid", one!.reason ?? "This record is not a valid contact.");
  if (one!.outcome === "unchanged") throw new AppError("conflict", `Duplicate for ${one!.call}.`);
  return { data: qsoOf(await contact(app, asker, one!.qsoId), station.id), status: 201 };
};

const summaryOf = (taken: Awaited<ReturnType<typeof upload>>["taken"], messages: string[], dryRun: boolean): Answer => {
  const isSkipped = (one: (typeof taken)[number]) => one.outcome === "unchanged";
  const isFailed = (one: (typeof taken)[number]) => one.outcome === "rejected";
  const skipped = taken.filter(isSkipped).length;
  const imported = taken.length - skipped - taken.filter(isFailed).length;
  return { data: { parsed: taken.length, imported, skipped, messages }, status: dryRun ? 200 : 201 };
};

const furtherOf = ({ extra }: QsoView, name: string): string | null => extra[name.toUpperCase()] ?? null;

const hertzIn = (megahertz: string | undefined): string | null =>
  megahertz === undefined ? null : String(Math.round(Number(megahertz) * 1_000_000));

/** Frequencies in Hz and powers in watts as text, as this interface has them. */
const qsoOf = (qso: QsoView, stationId: number) => ({
  id: qso.id,
  station_id: stationId,
  call: qso.call,
  band: qso.band,
  band_rx: qso.bandRx,
  mode: qso.mode,
  submode: qso.submode,
  freq: qso.freqHz === null ? null : String(qso.freqHz),
  freq_rx: hertzIn(qso.extra.FREQ_RX),
  qso_date: new Date(qso.startedAt).toISOString().slice(0, 19).replace("T", " "),
  rst_sent: qso.rstSent,
  rst_rcvd: qso.rstRcvd,
  gridsquare: qso.gridsquare,
  name: qso.name,
  qth: qso.qth,
  comment: qso.comment,
  ...Object.fromEntries(FURTHER.filter((name) => name !== "freq_rx").map((name) => [name, furtherOf(qso, name)])),
  cnty: qso.county,
  srx: countIn(qso.extra.SRX) ?? null,
  stx: countIn(qso.extra.STX) ?? null,
  srx_string: qso.extra.SRX_STRING ?? null,
  stx_string: qso.extra.STX_STRING ?? null,
  state: qso.state,
  iota: qso.iota,
  prop_mode: qso.propMode,
  sat_name: qso.satName,
  tx_pwr: qso.txPower === null ? null : String(qso.txPower),
  cqz: qso.cqZone,
  ituz: qso.ituZone,
  dxcc: qso.dxcc,
});

const numberOf = (id: string | undefined): number => {
  const number = countIn(id);
  if (number === undefined) throw new AppError("not_found", "There is no such QSO.");
  return number;
};

const stationIdOf = (all: readonly Station[], qso: QsoView): number =>
  (all.find(({ callsign }) => callsign === qso.stationCallsign) ?? all[0]!).id;

const listQsos = async ({ app, program: { asker }, query }: Call): Promise<Answer> => {
  const all = await stations(app, asker);
  const number = query.get("station_id");
  const station = number === null ? null : findStation(all, number);
  const isAdif = query.get("format") === "adif";
  const page = Math.max(1, countIn(query.get("page") ?? undefined) ?? 1);
  const asked = countIn(query.get("limit") ?? undefined) ?? countIn(query.get("per_page") ?? undefined);
  const perPage = Math.min(MAX_PAGE_SIZE, asked || (isAdif ? 1_000 : 50));
  const wanted = { afterId: countIn(query.get("since_id") ?? undefined) ?? 0, station, limit: perPage };
  if (isAdif) {
    const { count, lastId, pieces } = await contactsAfter(app, asker, wanted);
    const total = await countAfter(app, asker, wanted);
    const meta = { page: 1, per_page: perPage, count, total, has_more: total > count };
    return { data: { exported: count, lastfetchedid: lastId, adif: count === 0 ? null : pieces.join("") }, meta };
  }
  if (query.has("since_id")) {
    // The contacts of this ADIF, from which a program learns their ids; newest first, as in every list.
    const rows = await listAfter(app, asker, wanted);
    const total = await countAfter(app, asker, wanted);
    const meta = { page: 1, per_page: perPage, count: rows.length, total, has_more: total > rows.length };
    return { data: rows.toReversed().map((qso) => qsoOf(qso, stationIdOf(all, qso))), meta };
  }
  const { rows, total } = await rowsOf(app, asker, { query, station, skip: (page - 1) * perPage, perPage });
  const pages = Math.ceil(total / perPage);
  const meta = { page, per_page: perPage, count: rows.length, total, total_pages: pages, has_more: page < pages };
  return { data: rows.map((qso) => qsoOf(qso, stationIdOf(all, qso))), meta };
};

interface Rows {
  query: URLSearchParams;
  station: Station | null;
  skip: number;
  perPage: number;
}

/** Newest first, collected from pages of the log. */
const rowsOf = async (app: App, asker: Program["asker"], { query, station, skip, perPage }: Rows) => {
  const words = { call: query.get("callsign"), band: query.get("band"), mode: query.get("mode") };
  const days = { from: query.get("qso_since"), to: query.get("qso_until") };
  const given = Object.entries({ ...words, ...days, station: station?.callsign }).filter(([, word]) => word);
  const asked = Object.fromEntries(given) as Record<string, string>;
  const rows: QsoView[] = [];
  let cursor: string | undefined;
  let total = 0;
  let characters = 0;
  for (let passed = 0; rows.length < perPage;) {
    const found = await listContacts(app, asker, { ...asked, limit: String(PAGES_AT_ONCE), cursor });
    total = found.total;
    rows.push(...found.qsos.slice(Math.max(0, skip - passed), Math.max(0, skip - passed) + perPage - rows.length));
    passed += found.qsos.length;
    characters += rows.length === 0 ? 0 : JSON.stringify(found.qsos).length;
    if (characters > MAX_CHARACTERS)
      throw new AppError("too_large", "These contacts are larger than 8 MB. Ask for fewer on a page.");
    if (found.nextCursor === null) break;
    cursor = found.nextCursor;
    await app.turn();
  }
  return { rows, total };
};

const lookup = async ({ app, program: { asker }, query }: Call): Promise<Answer> => {
  const call = wordIn(query.get("callsign"));
  if (!call) throw new AppError("invalid", "The callsign is missing.");
  const [band, mode] = ["band", "mode"].map((name) => wordIn(query.get(name)));
  return {
    data: lookupOf(await need(app, asker, { call, band, mode })),
    meta: { detail: query.get("detail") ?? "basic" },
  };
};

const oneQso = async ({ app, program: { asker }, params: { id } }: Call): Promise<Answer> => {
  const all = await stations(app, asker);
  const qso = await contact(app, asker, numberOf(id));
  return { data: qsoOf(qso, stationIdOf(all, qso)) };
};

const changeQso = async ({ app, request, program: { asker }, params: { id } }: Call): Promise<Answer> => {
  const qso = await editContact(app, asker, numberOf(id), editIn(await readFields(request)));
  return { data: qsoOf(qso, stationIdOf(await stations(app, asker), qso)) };
};

const radioPushed = async ({ app, request, program: { asker } }: Call): Promise<Answer> => {
  const { radio, isNew } = await tellOfRadio(app, asker, radioIn(await readFields(request)));
  return { data: radioView(radio), status: isNew ? 201 : 200 };
};

const publicStatus = async ({ app, request }: Question): Promise<Response> =>
  enveloped(app, request, "meta", { data: { name: "qsolog", status: "ok", version } });

export const V2: readonly WavelogRoute[] = [
  ["GET", "/api/v2/status", publicStatus],
  ["GET", "/api/v2/token", keyed("token", "lookup", token)],
  [
    "GET",
    "/api/v2/station",
    keyed("station", "lookup", async ({ app, program }) => ({
      data: (await stations(app, program.asker)).map(stationView),
    })),
  ],
  [
    "GET",
    "/api/v2/station/:id",
    keyed("station", "lookup", async (call) => ({ data: stationView(await theStation(call)) })),
  ],
  ["GET", "/api/v2/lookup", keyed("lookup", "lookup", lookup)],
  ["GET", "/api/v2/qso", keyed("qso", "lookup", listQsos)],
  ["POST", "/api/v2/qso", keyed("qso", "feed", takeQso)],
  ["GET", "/api/v2/qso/:id", keyed("qso", "lookup", oneQso)],
  ["PATCH", "/api/v2/qso/:id", keyed("qso", "feed", changeQso)],
  [
    "DELETE",
    "/api/v2/qso/:id",
    keyed(
      "qso",
      "feed",
      async ({ app, program, params: { id } }) => (await deleteContact(app, program.asker, numberOf(id)), null),
    ),
  ],
  [
    "GET",
    "/api/v2/radio",
    keyed("radio", "lookup", async ({ app, program }) => ({
      data: (await radios(app, program.asker)).map(radioView),
    })),
  ],
  ["POST", "/api/v2/radio", keyed("radio", "feed", radioPushed)],
];
