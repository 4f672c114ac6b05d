import type { Clock } from "../kernel/clock.ts";
import { MINUTE } from "../kernel/clock.ts";
import { type Answer, type Sleep, createTextAnswer } from "./delivery.ts";
import { findFault, type LotwFault } from "./faults.ts";
import type { ReceivedRequest } from "./request-log.ts";
import { limitPage, renderLoginPage, renderRefusalPage } from "./lotw-pages.ts";
import { readQuery } from "./lotw-query.ts";
import { createReport } from "./lotw-report.ts";
import { SimulatedService } from "./service.ts";
import type { LotwUser, Store } from "./store.ts";

interface Surroundings {
  store: Store;
  clock: Clock;
  random: () => number;
  sleep: Sleep;
}

export const LOTW_PATH = "/lotwuser/lotwreport.adi";

/** LoTW: one report at a time per account, by GET, with the credentials in the query. */
export class SimulatedLotw extends SimulatedService<LotwFault> {
  readonly path = LOTW_PATH;
  /** How long a report takes before its first byte. */
  generationDelay = 0;
  /** How long an abandoned report keeps its account busy. */
  abandonedFor = 1 * MINUTE;
  readonly #underWay = new Map<string, ReceivedRequest>();
  readonly #busyUntil = new Map<string, number>();
  readonly #world: Surroundings;

  constructor(world: Surroundings) {
    super(world);
    this.#world = world;
  }

  accountOf(params: URLSearchParams): string {
    return params.get("login") ?? "";
  }

  async answer(request: ReceivedRequest, faults: LotwFault[], gone: AbortSignal): Promise<Answer> {
    if (request.method !== "GET")
      return createTextAnswer(405, renderRefusalPage("only GET is served"), { allow: "GET" });
    const user = this.#world.store.findUser(request.account);
    const change = findFault(faults, "passwordChange");
    if (change !== undefined && user !== undefined) user.password = change.to ?? String(this.#world.random());
    if (user === undefined || request.params.get("password") !== user.password)
      return createTextAnswer(200, renderLoginPage());

    if (findFault(faults, "busy") !== undefined || !this.#enter(user, request))
      return createTextAnswer(503, limitPage());
    const now = this.#world.clock() + (findFault(faults, "clockSkew")?.by ?? 0);
    const query = readQuery(request.params, now, findFault(faults, "systemDefault") !== undefined);
    if ("refusal" in query) return createTextAnswer(200, renderRefusalPage(query.refusal));

    if (this.generationDelay > 0) await this.#world.sleep(this.generationDelay, gone);
    await this.gate.waitUntilOpen(gone);
    return {
      status: 200,
      headers: {
        "content-type": "application/x-arrl-adif",
        "content-disposition": "attachment; filename=lotwreport.adi",
      },
      body: createReport({
        query,
        login: request.account,
        generatedAt: now,
        qsos: this.#world.store.qsosOf(user.login),
        flaws: {
          encoding: findFault(faults, "latin1") === undefined ? "utf-8" : "latin1",
          lineEnd: findFault(faults, "crlf") === undefined ? "\n" : "\r\n",
          withoutEof: findFault(faults, "dropEof") !== undefined,
          numrecOff: findFault(faults, "numrec")?.by,
          lastQsl: findFault(faults, "lastQsl")?.as,
        },
      }),
    };
  }

  /** Frees the account. A report that the client abandoned is still generated for a while. */
  override ended(request: ReceivedRequest, aborted: boolean): void {
    const account = request.account.toLowerCase();
    if (this.#underWay.get(account) !== request) return;
    this.#underWay.delete(account);
    if (aborted) this.#busyUntil.set(account, this.#world.clock() + this.abandonedFor);
  }

  #enter({ login }: LotwUser, request: ReceivedRequest): boolean {
    const account = login.toLowerCase();
    const busyUntil = this.#busyUntil.get(account) ?? Number.NEGATIVE_INFINITY;
    if (this.#underWay.has(account) || this.#world.clock() < busyUntil) return false;
    this.#underWay.set(account, request);
    return true;
  }
}
