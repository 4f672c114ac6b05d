import { version } from "../../../package.json";
import type { App } from "../../app.ts";
import { AppError } from "../../kernel/errors.ts";
import { listContacts } from "../../logbook/contacts.ts";
import { need } from "../../logbook/need.ts";
import { contactsAfter, countContacts, tellOfRadio, upload } from "../../logbook/programs.ts";
import { jsonResponse, streamOf } from "../http/response.ts";
import { findStation, stations } from "../../logbook/stations.ts";
import { HTTP_STATUS, nothingHere, retryHeaders } from "../http/errors.ts";
import { countIn, readFields, textIn, wordIn } from "./body.ts";
import { programOf, refusalIn, type Program, type Question, type WavelogRoute } from "./door.ts";
import { lookupOf } from "./lookup.ts";
import { radioIn } from "./radio.ts";

/**
 * Version 1 of the Wavelog interface, as programs use it. They compare names, types, statuses and spelling exactly,
 * and search answers for words: `created` means success to some, `<html` a wrong address.
 */

type Words = Record<string, unknown>;

const MAX_EXPORTED = 20_000;
/** Names of qsolog's own routes at the position of a key. */
const NO_KEYS = new Set(["login", "logout", "register", "confirm", "password", "impersonation"]);

const answer = (words: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  jsonResponse(words, status, { "cache-control": "no-store", ...headers });

const failure = (error: AppError): Response => {
  const status = HTTP_STATUS[error.code === "forbidden" ? "unauthenticated" : error.code];
  return answer({ status: "failed", reason: withoutSuccess(error.message) }, status, retryHeaders(error));
};

/** Removes the word that some programs treat as success anywhere in a text. */
const withoutSuccess = (text: string): string => text.replace(/created/gi, "made");

/** A route with the key in the body. Errors always have the form that programs expect. */
const keyed =
  (needs: "feed" | "lookup", handle: (app: App, program: Program, fields: Words) => Promise<Response>) =>
  async (question: Question): Promise<Response> => {
    const { app, request } = question;
    try {
      const fields = await readFields(request);
      return await handle(app, await programOf(question, textIn(fields.key) ?? "", needs), fields);
    } catch (error) {
      return failure(refusalIn(app, error));
    }
  };

/** A route with the key in the path. */
const keyedByPath =
  (handle: (app: App, program: Program) => Promise<Response>, refuse = failure) =>
  async (question: Question): Promise<Response> => {
    const { app, params } = question;
    const { key = "" } = params;
    if (NO_KEYS.has(key)) throw nothingHere();
    try {
      return await handle(app, await programOf(question, key, "lookup"));
    } catch (error) {
      return refuse(refusalIn(app, error));
    }
  };

const takeQso = (dryRun: boolean) =>
  keyed("feed", async (app, { asker, client }, fields) => {
    const adif = textIn(fields.string) ?? "";
    if ((textIn(fields.type) ?? "adif").toLowerCase() !== "adif") {
      throw new AppError("invalid", "Only the type adif is supported.");
    }
    const station = findStation(await stations(app, asker), fields.station_profile_id);
    const { taken, remarks } = await upload(app, asker, { client, adif, station, dryRun });
    if (taken.length === 0) throw new AppError("invalid", "The request contains no ADIF record.");
    const errors = taken.filter(({ outcome }) => outcome === "rejected").length;
    const words = {
      type: "adif",
      string: "",
      adif_count: taken.length,
      adif_errors: errors,
      messages: remarks.length === 0 ? [""] : ["", ...remarks],
    };
    if (errors === 0) return answer({ status: "created", ...words }, 201);
    return answer({ status: "abort", ...words, messages: words.messages.map(withoutSuccess) }, 400);
  });

const stationInfo = keyedByPath(async (app, { asker }) =>
  answer(
    (await stations(app, asker)).map(({ id, name, callsign, grid, isActive }) => ({
      station_id: String(id),
      station_profile_name: name,
      station_gridsquare: grid ?? "",
      station_callsign: callsign,
      station_active: isActive ? "1" : "",
    })),
  ),
);

const xml = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/xml; charset=utf-8", "cache-control": "no-store" } });

const auth = keyedByPath(
  async (_app, { caller }) =>
    xml(`<auth>\n<status>Valid</status>\n<rights>${caller.scope === "feed" ? "rw" : "r"}</rights>\n</auth>`),
  (refusal) =>
    refusal.code === "unauthenticated" || refusal.code === "forbidden"
      ? xml("<auth>\n<message>Key Invalid - either not found or disabled</message>\n</auth>")
      : failure(refusal),
);

const statistics = keyedByPath(async (app, { asker }) => {
  const { today, month, year, total } = await countContacts(app, asker);
  return answer({ Today: today, total_qsos: total, month_qsos: month, year_qsos: year }, 201);
});

const wordPressStats = keyed("lookup", async (app, { asker }) => {
  const { today, month, year, total } = await countContacts(app, asker);
  return answer({
    status: "successful",
    message: "",
    statistics: { totalalltime: total, totalthisyear: year, totalthismonth: month, totaltoday: today },
  });
});

const privateLookup = keyed("lookup", async (app, { asker }, fields) => {
  const [call, band, mode] = [fields.callsign, fields.band, fields.mode].map(wordIn);
  if (call === undefined) throw new AppError("invalid", "The callsign is missing.");
  return answer(lookupOf(await need(app, asker, { call, band, mode })));
});

/** The key names the log, so the public name of a logbook, which programs send too, decides nothing. */
const checkCallsign = keyed("lookup", async (app, { asker }, fields) => {
  const [call, band] = [fields.callsign, fields.band].map(wordIn);
  if (call === undefined) throw new AppError("invalid", "The callsign is missing.");
  const { worked } = await need(app, asker, { call, band });
  const isFound = band === undefined ? worked.count > 0 : worked.onBand;
  return answer({ callsign: call, result: isFound ? "Found" : "Not Found" }, 201);
});

/** `cnfm` asks whether the square is confirmed too; which confirmation it names decides nothing. */
const checkGrid = keyed("lookup", async (app, { asker }, fields) => {
  const [grid, band, confirmation] = [fields.grid, fields.band, fields.cnfm].map(wordIn);
  if (!grid) throw new AppError("invalid", "The grid square is missing.");
  const count = async (filter: Record<string, string>): Promise<number> =>
    (await listContacts(app, asker, { grid, ...(band && { band }), ...filter, limit: "1" })).total;
  const isFound = (await count({})) > 0;
  const isConfirmed = isFound && Boolean(confirmation) && (await count({ confirmation: "any" })) > 0;
  const found = !confirmation ? "Found" : isConfirmed ? "Confirmed" : "Worked";
  return answer({ gridsquare: grid.toUpperCase(), result: isFound ? found : "Not Found" }, 201);
});

const contactsAdif = keyed("lookup", async (app, { asker }, fields) => {
  const all = await stations(app, asker);
  const wanted = textIn(fields.station_id);
  const { count, lastId, pieces } = await contactsAfter(app, asker, {
    afterId: countIn(fields.fetchfromid) ?? 0,
    station: wanted === undefined ? null : findStation(all, wanted),
    limit: Math.min(countIn(fields.limit) || MAX_EXPORTED, MAX_EXPORTED),
  });
  const words = { status: "successfull", message: "Export successfull", lastfetchedid: lastId, exported_qsos: count };
  if (count === 0) return answer({ ...words, adif: null });
  const headers = { "content-type": "application/json;charset=utf-8", "cache-control": "no-store" };
  return new Response(streamOf(withLongText(words, "adif", pieces)), { headers });
});

/** JSON whose last value is a text too long to be built in memory. */
function* withLongText(words: Words, name: string, pieces: readonly string[]): Generator<string, undefined> {
  yield JSON.stringify({ ...words, [name]: "" }).slice(0, -2);
  for (const piece of pieces) yield JSON.stringify(piece).slice(1, -1);
  yield '"}';
}

const manifest = async ({ app }: Question): Promise<Response> =>
  answer({ name: "qsolog", short_name: "qsolog", start_url: app.config.baseUrl ?? "/", display: "browser" });

const radio = keyed("feed", async (app, { asker }, fields) => {
  await tellOfRadio(app, asker, radioIn(fields));
  return answer({ status: "success" });
});

/** Some programs ask with GET, others with POST. */
const onBoth = (path: string, handle: WavelogRoute[2]): WavelogRoute[] => [
  ["GET", path, handle],
  ["POST", path, handle],
];

export const V1: readonly WavelogRoute[] = [
  ["POST", "/api/qso", takeQso(false)],
  ["POST", "/api/qso/true", takeQso(true)],
  ...onBoth("/api/station_info/:key", stationInfo),
  ...onBoth("/api/auth/:key", auth),
  ...onBoth("/api/check_auth/:key", auth),
  ...onBoth("/api/statistics/:key", statistics),
  ["POST", "/api/version", keyed("lookup", async () => answer({ status: "ok", version }))],
  ["POST", "/api/radio", radio],
  ["POST", "/api/private_lookup", privateLookup],
  ["POST", "/api/logbook_check_callsign", checkCallsign],
  ["POST", "/api/logbook_check_grid", checkGrid],
  ["POST", "/api/get_wp_stats", wordPressStats],
  ["POST", "/api/get_contacts_adif", contactsAdif],
  ["GET", "/manifest.json", manifest],
];
