import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { environmentName, readConfig, SETTINGS } from "../../src/config.ts";
import { MIN_DESCRIPTORS } from "../../src/kernel/descriptors.ts";
import { createServer } from "../../src/server/server.ts";
import { MAX_CONNECTIONS } from "../../src/storage/engine/postgres.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { PASSWORD, ROOT } from "../support/qsolog.ts";
import { aUser, testWorld } from "../support/world.ts";
import { aVisitor, behindInstances, PROXIES } from "./proxy.ts";

setDefaultTimeout(120_000);

const deployed = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");

interface Service {
  environment: Record<string, string>;
  networks: Record<string, { ipv4_address: string }>;
  ulimits?: { nofile: number };
  volumes: string[];
  [more: string]: unknown;
}

const compose = Bun.YAML.parse(deployed("instances/compose.yaml")) as {
  services: Record<string, Service>;
  volumes: object;
  networks: Record<string, { internal?: boolean; ipam: { config: { subnet: string }[] } }>;
};
const names = Object.keys(compose.services).filter((name) => name.startsWith("qsolog"));
const instances = names.map((name) => compose.services[name]!);

/** Replaces `${NAME}` and `${NAME:?why}` as compose does. */
const filledIn = (text: string) =>
  text.replace(/\$\{(\w+)[^}]*\}/g, (_, name: string) =>
    name === "SITE" ? "log.example.org" : "0123456789abcdef0123456789abcdef",
  );

test("three instances differ only in their data, and their settings exist", () => {
  const settings = instances.map(({ volumes: _, ...others }) => others);
  const environment = Object.entries(instances[0]!.environment).map(([name, text]) => [name, filledIn(text)]);

  expect(instances).toHaveLength(3);
  expect(new Set(settings.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(new Set(instances.flatMap(({ volumes }) => volumes)).size).toBe(3);
  expect(environment.map(([name]) => name).filter((name) => !SETTINGS.map(environmentName).includes(name!))).toEqual(
    [],
  );
  const env = { QSOLOG_DATA_DIR: aDirectory(), ...Object.fromEntries(environment) };
  expect(readConfig({ env }).config).toMatchObject({
    baseUrl: "https://log.example.org",
    databaseUrl: expect.stringMatching(/^postgres:\/\/qsolog:\w+@postgres\/qsolog$/),
    trustedProxies: [compose.services.proxy!.networks.site!.ipv4_address],
  });
});

test("files named in the example exist, and secrets must be given at the start", () => {
  const { postgres, proxy } = compose.services as Record<string, Service & { user: string; command: string }>;
  const volumes = Object.values(compose.services).flatMap((one) => one.volumes.map((line) => line.split(":")[0]!));

  expect(volumes.filter((name) => !name.startsWith("./")).sort()).toEqual(Object.keys(compose.volumes).sort());
  const networks = Object.values(compose.services).flatMap((one) =>
    Array.isArray(one.networks) ? one.networks : Object.keys(one.networks),
  );
  expect([...new Set(networks)].sort()).toEqual(Object.keys(compose.networks).sort());
  expect(compose.networks.database!.internal).toBe(true);
  expect(Object.keys(proxy!.networks)).toEqual(["site"]);
  expect(postgres!.networks).toEqual(["database"] as never);
  for (const name of ["POSTGRES_PASSWORD", "QSOLOG_SECRET", "SITE"]) {
    expect(deployed("instances/compose.yaml")).toContain(`\${${name}:?`);
    expect(deployed("instances/compose.yaml")).not.toMatch(new RegExp(`\\$\\{${name}[:-]*[^:?]`));
  }
});

// Defence: the compose example is read-only and not open to the network
test("every service is read-only, unprivileged and limited, and only the proxy is reachable", () => {
  for (const [name, service] of Object.entries(compose.services)) {
    expect([name, service]).toMatchObject([
      name,
      { read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], restart: "unless-stopped" },
    ]);
    expect([name, service.mem_limit, service.pids_limit]).toEqual([name, expect.any(String), expect.any(Number)]);
    if (name !== "postgres") expect([name, service.ulimits!.nofile >= MIN_DESCRIPTORS]).toEqual([name, true]);
    expect([name, service.ports !== undefined]).toEqual([name, name === "proxy"]);
  }
});

test("the database accepts connections of twice as many instances, and some for people", () => {
  const [, most] = /max_connections=(\d+)/.exec(String(compose.services.postgres!.command))!;

  expect(Number(most)).toBeGreaterThan(2 * instances.length * MAX_CONNECTIONS + 10);
});

const [, PORTS] = /^#   systemctl enable --now (.+)$/m.exec(deployed("systemd/qsolog@.service"))!;
const UNITS = PORTS!.split(" ").map((unit) => `127.0.0.1:${unit.replace("qsolog@", "")}`);

test("the proxies use the instances of the other examples", () => {
  const [, asked] = /reverse_proxy (.+) \{/.exec(deployed("instances/Caddyfile"))!;
  const asUnits = /in place of these: (.+)$/m.exec(deployed("instances/Caddyfile"))![1]!;
  const byNginx = [...deployed("instances/nginx.conf").matchAll(/^ +server (127\S+) /gm)].map(([, at]) => at);

  expect(asked!.split(" ")).toEqual(names.map((name) => `${name}:7373`));
  expect([asUnits.split(" "), byNginx]).toEqual([UNITS, UNITS]);
  expect(compose.services.proxy!.volumes).toContain("./Caddyfile:/etc/caddy/Caddyfile:ro");
});

test("the settings of the template unit and nginx example can be read as settings", () => {
  const wanted = [...deployed("systemd/qsolog@.service").matchAll(/^#   (QSOLOG_\w+)=(\S+)/gm)];
  const env = Object.fromEntries(
    wanted.map(([, name, text]) => [name!, name === "QSOLOG_SECRET" ? "s".repeat(32) : text!.replace("…", "secret")]),
  );

  expect(wanted.length).toBe(4);
  expect(readConfig({ env: { QSOLOG_DATA_DIR: aDirectory(), ...env } }).config.databaseUrl).toStartWith("postgres://");
});

const HAS_COMPOSE = Bun.which("docker") !== null && Bun.spawnSync(["docker", "compose", "version"]).exitCode === 0;
test.skipIf(!HAS_COMPOSE)(`docker compose understands the example${HAS_COMPOSE ? "" : " (it is not there)"}`, () => {
  const folder = aDirectory();
  writeFileSync(join(folder, ".env"), "SITE=log.example.org\nPOSTGRES_PASSWORD=a\nQSOLOG_SECRET=b\n");
  const words = ["--env-file", join(folder, ".env"), "-f", join(ROOT, "deploy/instances/compose.yaml"), "config"];

  const { exitCode, stderr } = Bun.spawnSync(["docker", "compose", ...words]);

  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
});

/** Three servers on one database, each with the number of requests it answered. */
const threeServers = async () => {
  const first = await testWorld({ env: { QSOLOG_PORT: "0", QSOLOG_TRUSTED_PROXIES: "127.0.0.1" } });
  const worlds = [first, await testWorld({ beside: first }), await testWorld({ beside: first })];
  const bob = await aUser(first, "bob");
  const servers = await Promise.all(
    worlds.map(async (world) => {
      const answered: string[] = [];
      const config = { ...first.config, dataDir: world.dataDir };
      const info = (event: string, facts?: { path?: string }) => {
        if (event === "request" && facts?.path === "/api/me") answered.push(event);
      };
      const app = createApp({
        ...world,
        config,
        log: { ...world.log, info, debug: info, tells: () => true } as typeof world.log,
      });
      const server = createServer(app);
      const port = Number(new URL(await server.listen()).port);
      const stop = async () => {
        await server.stop();
        await app.stop();
      };
      afterTest(stop);
      return { port, stop, answered };
    }),
  );
  return { servers, bob };
};

for (const proxy of PROXIES) {
  test.skipIf(proxy.path === null || Bun.which("openssl") === null)(
    `behind ${proxy.name}, as the example says, requests alternate between instances, and a stopped one goes unnoticed`,
    async () => {
      const { servers } = await threeServers();
      const { ask } = aVisitor(
        await behindInstances(
          proxy,
          servers.map(({ port }) => port),
        ),
      );
      const body = JSON.stringify({ username: "bob", password: PASSWORD });
      const { token } = (await (await ask("/api/auth/login", { method: "POST", body })).json()) as { token: string };
      const me = async () => (await ask("/api/me", { headers: { authorization: `Bearer ${token}` } })).status;

      const statuses: number[] = [];
      for (let n = 0; n < 12; n++) statuses.push(await me());
      expect(servers.map(({ answered }) => answered.length >= 3)).toEqual([true, true, true]);
      await servers[1]!.stop();
      for (let n = 0; n < 12; n++) statuses.push(await me());

      expect(statuses).toEqual(Array.from({ length: 24 }, () => 200));
    },
  );
}
