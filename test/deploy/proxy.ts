import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/app.ts";
import { createServer } from "../../src/server/server.ts";
import { SimulatedServices } from "../../src/simulated/services.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { afterTest } from "../support/cleanup.ts";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";
import { aUser, NOON, testWorld } from "../support/world.ts";

export const PREFIX = "/qsolog";
export const LOGIN = "yu1bob";
export const SECRET = "secret";

interface Ports {
  https: number;
  http: number;
  server: number;
  /** The port of the authentication server, if the proxy has one. */
  guard?: number;
  /** Ports of the instances, in the order of the example. */
  instances?: readonly number[];
}

interface Proxy {
  name: string;
  path: string | null;
  /** Prepares the shipped example with this machine's ports and certificate. Returns the command that runs it. */
  prepare(folder: string, ports: Ports): string[];
}

const shipped = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");

/** Every replacement must match, otherwise the test would not use the shipped example. */
const changed = (text: string, changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the example has no ${from}`);
    return before.replaceAll(from, to);
  }, text);

const nginx: Proxy = {
  name: "nginx",
  path: Bun.which("nginx", { PATH: `${process.env.PATH}:/usr/sbin` }),
  prepare(folder, { https, http, server, guard, instances }) {
    const site = changed(shipped(instances ? "instances/nginx.conf" : guard ? "sign-in/nginx.conf" : "nginx.conf"), [
      ...(instances ?? [server]).map((port, at): [string, string] => [
        `127.0.0.1:${instances ? 7_371 + at : 7_373}`,
        `127.0.0.1:${port}`,
      ]),
      ["listen 443 ssl http2;", `listen 127.0.0.1:${https} ssl http2;\n    listen [::1]:${https} ssl http2;`],
      guard ? ["127.0.0.1:9091", `127.0.0.1:${guard}`] : ["listen 80;", `listen 127.0.0.1:${http};`],
      ["/etc/ssl/log.example.org/fullchain.pem", join(folder, "cert.pem")],
      ["/etc/ssl/log.example.org/privkey.pem", join(folder, "key.pem")],
      ["log.example.org", "localhost"],
    ]);
    writeFileSync(join(folder, "site.conf"), site);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const user = process.getuid?.() === 0 ? "user root;" : "";
    writeFileSync(
      join(folder, "main.conf"),
      `${user} daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
       http { access_log off; include /etc/nginx/mime.types; ${temporary.join(" ")} include ${folder}/site.conf; }`,
    );
    return [this.path!, "-e", join(folder, "error.log"), "-c", join(folder, "main.conf")];
  },
};

const caddy: Proxy = {
  name: "Caddy",
  path: Bun.which("caddy"),
  prepare(folder, { https, http, server, guard, instances }) {
    const site = changed(shipped(instances ? "instances/Caddyfile" : guard ? "sign-in/Caddyfile" : "Caddyfile"), [
      ...(instances?.map((port, at): [string, string] => [`qsolog-${at + 1}:7373`, `127.0.0.1:${port}`]) ?? [
        ["127.0.0.1:7373", `127.0.0.1:${server}`] as const,
      ]),
      ...(guard ? [["127.0.0.1:9091", `127.0.0.1:${guard}`] as const] : []),
      [
        instances ? "{$SITE} {" : "log.example.org {",
        `https://localhost:${https}, https://[::1]:${https} {\n\tbind 127.0.0.1 ::1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      ],
    ]);
    const globals = `\tadmin off\n\thttp_port ${http}\n\tauto_https disable_redirects\n\tskip_install_trust\n`;
    // A file has one block of global options: the example's, if it has one.
    const whole = /^\{$/m.test(site) ? site.replace(/^\{\n/m, `{\n${globals}`) : `{\n${globals}}\n${site}`;
    writeFileSync(join(folder, "Caddyfile"), whole);
    return [this.path!, "run", "--adapter", "caddyfile", "--config", join(folder, "Caddyfile")];
  },
};

export const PROXIES: readonly Proxy[] = [nginx, caddy];

/** An installation behind a real proxy with the shipped configuration. Bob has 40 contacts waiting at LoTW. */
export const aPlaceBehind = async (proxy: Proxy, { trusted = "127.0.0.1" } = {}) => {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const services = new SimulatedServices({ clock: () => NOON, random: () => 0.5, sleep: () => held });
  services.start();
  services.store.addUser({ login: LOGIN, password: SECRET, calls: ["YU1BOB"] });
  for (let index = 0; index < 40; index++) {
    const call = `K${index % 10}AB${String.fromCharCode(65 + (index % 26))}`;
    services.store.upload({ own: "YU1BOB", call, band: "20m", mode: "CW", at: NOON - (index + 2) * 86_400_000 });
  }
  const ports = { https: freePort(), http: freePort() };
  const origin = `https://localhost:${ports.https}`;
  const world = await testWorld({
    env: {
      QSOLOG_PORT: "0",
      QSOLOG_BASE_URL: origin + PREFIX,
      QSOLOG_TRUSTED_PROXIES: trusted,
      QSOLOG_FIRST_URL: services.firstUrl,
      QSOLOG_SECOND_URL: services.secondUrl,
    },
  });
  const app = createApp(world);
  const server = createServer(app);
  const inside = await server.listen();
  afterTest(async () => {
    goOn();
    await server.stop();
    await app.stop();
    await services.stop();
  });
  await startProxy(proxy, { ...ports, server: Number(new URL(inside).port) });
  const bob = await aUser(world, "bob");
  await setCredentials(world, bob.id, "first", { username: LOGIN, password: SECRET });
  return { app, world, services, bob, origin, inside, ports, goOn };
};

/** An authentication server in front of the pages; a cookie identifies the user. */
const startGuard = (): number => {
  const guard = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const [, name] = /guard=(\w+)/.exec(request.headers.get("cookie") ?? "") ?? [];
      if (name) return new Response(null, { headers: { "remote-user": name } });
      const location = "https://auth.example.org/";
      return new Response(null, { status: request.url.includes("forward-auth") ? 302 : 401, headers: { location } });
    },
  });
  afterTest(() => guard.stop(true));
  return guard.port!;
};

/** An installation behind a real authenticating proxy with the shipped configuration. */
export const aPlaceGuarded = async (proxy: Proxy) => {
  const ports = { https: freePort(), http: freePort(), guard: startGuard() };
  const origin = `https://localhost:${ports.https}`;
  const world = await testWorld({
    env: {
      QSOLOG_PORT: "0",
      QSOLOG_BASE_URL: origin,
      QSOLOG_TRUSTED_PROXIES: "127.0.0.1",
      QSOLOG_PROXY_USER_HEADER: "Remote-User",
    },
  });
  const app = createApp(world);
  const server = createServer(app);
  const inside = await server.listen();
  afterTest(async () => {
    await server.stop();
    await app.stop();
  });
  await startProxy(proxy, { ...ports, server: Number(new URL(inside).port) });
  await aUser(world, "bob");
  return { app, origin, inside };
};

/** The shipped proxy for several instances on these ports. Returns its address. */
export const behindInstances = async (proxy: Proxy, instances: readonly number[]): Promise<string> => {
  const ports = { https: freePort(), http: freePort(), server: 0, instances };
  await startProxy(proxy, ports);
  return `https://localhost:${ports.https}`;
};

/** A port on which nobody was listening a moment ago. */
const freePort = (): number => {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port!;
};

const startProxy = async (proxy: Proxy, ports: Ports): Promise<void> => {
  const folder = aDirectory();
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"];
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  const made = Bun.spawnSync(["openssl", "req", "-x509", ...key, ...subject, ...files]);
  if (made.exitCode !== 0) throw new Error(made.stderr.toString());
  const child = Bun.spawn(proxy.prepare(folder, ports), {
    env: { PATH: process.env.PATH!, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  afterTest(async () => {
    child.kill("SIGTERM");
    await child.exited;
  });
  const insecurely = { redirect: "manual", tls: { rejectUnauthorized: false } } as const;
  const listens = () =>
    fetch(`https://localhost:${ports.https}/`, insecurely).then(
      () => true,
      () => false,
    );
  while (!(await listens())) {
    if (child.exitCode !== null) throw new Error(`${proxy.name}: ${await child.stderr.text()}`);
    await Bun.sleep(20);
  }
};

/** A client with a cookie jar and no JavaScript, which accepts any certificate. */
export const aVisitor = (origin: string) => {
  const jar = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie === "" ? {} : { cookie }), ...(init.headers as object) };
    const answer = await fetch(origin + path, {
      ...init,
      headers,
      redirect: "manual",
      tls: { rejectUnauthorized: false },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name, value);
    }
    return answer;
  };
  /** Like a browser that submits a form of this site. */
  const post = (path: string, body: RequestInit["body"]): Promise<Response> =>
    ask(path, { method: "POST", body, headers: { origin, "sec-fetch-site": "same-origin" } });
  return { ask, post };
};

/** The links, forms and files of a page. */
export const placesIn = (html: string, at: string): string[] => {
  const base = new URL(/<base href="([^"]*)"/.exec(html)?.[1] ?? ".", at);
  const found = html.matchAll(/\s(?:href|src|action|hx-get|hx-post)="([^"#]+)[^"]*"/g);
  return [...found].map(([, path]) => new URL(path!.replaceAll("&amp;", "&"), base).href);
};
