import { hostname } from "node:os";
import type { Config, SettingName } from "../config.ts";
import * as installation from "../storage/engine/installation.ts";
import * as workers from "../storage/jobs/workers.ts";
import { isDead } from "../sync/job/worker.ts";
import type { World } from "../world.ts";

/** What visitors notice when it differs between instances. Secrets are not among them. */
const SHARED: readonly SettingName[] = [
  "baseUrl",
  "registration",
  "adminFactor",
  "noticeNetworks",
  "oidcIssuer",
  "oidcClientId",
  "oidcScopes",
  "oidcUsernameClaim",
  "oidcCallsignClaim",
  "oidcRegistration",
  "oidcAdminGroup",
  "proxyUserHeader",
  "proxyRegistration",
  "firstUrl",
  "secondUrl",
  "mailFrom",
];

interface Stored {
  host: string;
  settings: Record<string, string>;
  /** What differed from another running instance, at the last start. */
  different: string[];
}

const NAME = "settings";

const getSharedSettings = (config: Config): Record<string, string> =>
  Object.fromEntries(SHARED.map((name) => [name, JSON.stringify(config[name])]));

/** Stores the settings of this instance, and returns those that differ from what the last instance that started has. */
export const compareSettings = ({ db, config, clock }: Pick<World, "db" | "config" | "clock">): Promise<string[]> =>
  db.write(function* () {
    const settings = getSharedSettings(config);
    const found = yield* installation.find(NAME);
    const others = (yield* workers.list(clock())).filter((worker) => !isDead(worker));
    const before = found === null || others.length === 0 ? null : (JSON.parse(found) as Stored);
    const different =
      before === null ? [] : SHARED.filter((name) => (before.settings[name] ?? "null") !== settings[name]);
    const stored: Stored = { host: hostname(), settings, different };
    yield* installation.replace(NAME, JSON.stringify(stored));
    return different;
  });

/** What differed when the last instance started, and where that was. */
export const findDifferentSettings = async ({ db }: Pick<World, "db">): Promise<Pick<Stored, "host" | "different">> => {
  const found = await db.read(() => installation.find(NAME));
  return found === null ? { host: "", different: [] } : (JSON.parse(found) as Stored);
};
