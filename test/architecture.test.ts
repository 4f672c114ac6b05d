import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");

/** What each part of the tree may import. The longest matching name decides. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "src/kernel": [],
  "src/domain": ["src/kernel"],
  "src/config.ts": ["src/domain", "src/kernel"],
  "src/adif": ["src/domain", "src/kernel"],
  "src/storage": ["src/domain", "src/kernel"],
  "src/callsign": ["src/storage", "src/domain", "src/kernel"],
  "src/providers": ["src/adif", "src/domain", "src/kernel"],
  "src/simulated": ["src/domain", "src/kernel"],
  "src/world.ts": ["src/config.ts", "src/providers", "src/callsign", "src/storage", "src/domain", "src/kernel"],
  "src/listen": ["src/adif", "src/domain", "src/kernel"],
  "src/notices": ["src/world.ts", "src/storage", "src/domain", "src/kernel", "package.json"],
  "src/auth": ["src/world.ts", "src/config.ts", "src/storage", "src/domain", "src/kernel"],
  "src/people": ["src/auth", "src/world.ts", "src/storage", "src/domain", "src/kernel", "package.json"],
  "src/contacts": [
    "src/world.ts",
    "src/adif",
    "src/callsign",
    "src/storage",
    "src/domain",
    "src/kernel",
    "package.json",
  ],
  "src/awards": ["src/world.ts", "src/callsign", "src/storage", "src/domain", "src/kernel", "package.json"],
  "src/sync": [
    "src/awards",
    "src/notices",
    "src/world.ts",
    "src/providers",
    "src/callsign",
    "src/adif",
    "src/storage",
    "src/domain",
    "src/kernel",
    "package.json",
  ],
  "src/logbook": [
    "src/sync",
    "src/notices",
    "src/awards",
    "src/contacts",
    "src/world.ts",
    "src/callsign",
    "src/adif",
    "src/storage",
    "src/domain",
    "src/kernel",
  ],
  "src/upkeep": [
    "src/notices",
    "src/sync",
    "src/listen",
    "src/world.ts",
    "src/config.ts",
    "src/providers",
    "src/callsign",
    "src/storage",
    "src/domain",
    "src/kernel",
  ],
  "src/worker": [
    "src/sync",
    "src/awards",
    "src/contacts",
    "src/people",
    "src/auth",
    "src/world.ts",
    "src/config.ts",
    "src/callsign",
    "src/storage",
    "src/kernel",
  ],
  "src/app.ts": [
    "src/server/http/fair-share.ts",
    "src/logbook",
    "src/sync",
    "src/awards",
    "src/contacts",
    "src/people",
    "src/auth",
    "src/world.ts",
    "src/callsign",
    "src/domain",
    "src/kernel",
  ],
  "src/server": [
    "src/app.ts",
    "src/logbook",
    "src/people",
    "src/auth",
    "src/config.ts",
    "src/domain",
    "src/kernel",
    "views",
    "package.json",
  ],
  "src/demo": [
    "src/logbook",
    "src/sync",
    "src/people",
    "src/world.ts",
    "src/config.ts",
    "src/simulated",
    "src/callsign",
    "src/storage",
    "src/domain",
    "src/kernel",
  ],
  "src/main.ts": [
    "src/app.ts",
    "src/upkeep",
    "src/server",
    "src/worker",
    "src/people",
    "src/world.ts",
    "src/config.ts",
    "src/domain",
    "src/kernel",
  ],
  views: ["src/domain", "src/kernel"],
  cli: [
    "src/main.ts",
    "src/demo",
    "src/worker",
    "src/server/http/errors.ts",
    "src/server/api-routes.ts",
    "src/upkeep",
    "src/logbook",
    "src/listen",
    "src/sync",
    "src/awards",
    "src/contacts",
    "src/people",
    "src/auth",
    "src/world.ts",
    "src/config.ts",
    "src/callsign",
    "src/adif",
    "src/domain",
    "src/kernel",
    "views/words.ts",
    "package.json",
  ],
};

const PARTS = Object.keys(MAY_IMPORT).sort((a, b) => b.length - a.length);
const partOf = (path: string): string => PARTS.find((part) => path === part || path.startsWith(`${part}/`)) ?? path;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"))
    .map((file) => join(folder, file));

const FILES = ["src", "cli", "views"].flatMap(filesBelow);

interface Import {
  from: string;
  to: string;
  line: string;
}

const IMPORT = /(?:^\s*(?:import|export)\b[^"';]*?from\s*|^\s*import\s*|import\()\s*"([^"]+)"/gm;

const importsOf = (file: string): Import[] => {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(IMPORT)]
    .filter(([, target]) => target!.startsWith("."))
    .map((match) => ({
      from: file,
      to: relative(ROOT, resolve(ROOT, dirname(file), match[1]!)),
      line: `${file}:${text.slice(0, match.index).split("\n").length}: ${match[1]}`,
    }));
};

const IMPORTS = FILES.flatMap(importsOf);

test("the scan finds all imports, including type imports and dynamic ones", () => {
  const lines = IMPORTS.map(({ from, to }) => `${from} -> ${to}`);

  expect(lines).toContain("src/storage/engine/sqlite.ts -> src/storage/engine/unit.ts");
  expect(lines).toContain("src/auth/passwords.ts -> src/world.ts");
  expect(lines).toContain("cli/commands/admin.ts -> src/people/roles.ts");
});

// Invariant: folders import only from the layers below
test("folders import only what MAY_IMPORT allows", () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    const part = partOf(from);
    const allowed = MAY_IMPORT[part] ?? [];
    return partOf(to) !== part && !allowed.some((other) => to === other || to.startsWith(`${other}/`));
  });

  expect(wrong.map(({ line }) => line)).toEqual([]);
});

// Invariant: there are no import cycles
test("there are no circular imports", () => {
  const next = Map.groupBy(IMPORTS, ({ from }) => from);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) return void circles.push([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file)) return;
    for (const { to } of next.get(file) ?? []) visit(to, [...path, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);

  expect(circles).toEqual([]);
});

const READERS = { ts: new Bun.Transpiler({ loader: "ts" }), tsx: new Bun.Transpiler({ loader: "tsx" }) };

/** The files and packages that come with a file when it is loaded: neither those of its types nor those it loads later. */
const comingWith = (file: string, all = new Set<string>()): Set<string> => {
  if (all.has(file)) return all;
  all.add(file);
  const reader = READERS[file.split(".").at(-1) as keyof typeof READERS];
  if (!reader || !file.includes("/")) return all;
  for (const { path, kind } of reader.scanImports(readFileSync(join(ROOT, file), "utf8"))) {
    if (kind !== "import-statement") continue;
    if (path.startsWith(".")) comingWith(relative(ROOT, resolve(ROOT, dirname(file), path)), all);
    else all.add(path);
  }
  return all;
};

// Loading them takes longer than a command that reads a log. Sockets, terminals and cryptography load Node's streams.
test("a command loads no routes, no schema library and no streams before it needs them", () => {
  const starts = [
    "cli/cli.ts",
    "cli/client/local-client.ts",
    "cli/client/remote-client.ts",
    "src/logbook/statistics.ts",
    "src/world.ts",
  ];
  const loaded = [...new Set(starts.flatMap((file) => [...comingWith(file)]))];

  expect(loaded.filter((name) => /^(src\/server\/|elysia|typebox|@elysiajs|@kitajs)/.test(name))).toEqual([]);
  expect(loaded.filter((name) => /^node:(stream|net|tls|tty|crypto|dns|https?|zlib)(\/|$)/.test(name))).toEqual([]);
  expect([...comingWith("src/main.ts")]).toContain("typebox");
});

/** Ways in which a file can access the outside directly. Everything listed here comes from `World` instead. */
const REACHES = {
  time: /\bDate\.now\b|\bnew Date(\(\)|;)|(?<![.\w]|new )Date\(|\bperformance\.|\bhrtime\b|\bprocess\.uptime\b|\bnanoseconds\(|\bTemporal\.Now\b|\bperf_hooks\b|\bconsole\.time/,
  chance:
    /\bMath\.random\b|\brandomUUID|\bgetRandomValues\b|\brandom(Int|Fill|FillSync)\(|\{[^}]*\brandomBytes\b[^}]*\} from "(node:)?crypto"/,
  timers:
    /\bset(Timeout|Interval|Immediate)\b|\bBun\.sleep|\bAbortSignal\.timeout\b|"(node:)?timers|\bAtomics\.wait|\bscheduler\.(wait|yield|postTask)\b|"croner"|"bun:cron"|\bBun\.cron\b/,
  network:
    /(?<![.\w#']|async )fetch\((?!.*\)(: [\w<>]+)? \{$)|\bBun\.(fetch|connect|listen|serve|udpSocket|dns|sql|redis|s3)\b|\bnew (WebSocket|EventSource|XMLHttpRequest|SQL|RedisClient|S3Client)\b|\b(from|import|require|getBuiltinModule)[ (]*"(node:)?(net|http|https|http2|tls|dgram|dns)(\/promises)?"|\.listen\([^)]/,
  environment: /\b(process|Bun|import\.meta)\.env\b/,
};

type Reach = keyof typeof REACHES;

/** Where direct access is allowed, and why. The longest matching name decides. */
const MEETS: Record<string, { what: readonly Reach[]; why: string }> = {
  "src/kernel/time.ts": { what: ["time", "timers"], why: "makes the time of the world" },
  "src/providers/http.ts": { what: ["network"], why: "asks the services" },
  "src/kernel/addresses.ts": { what: ["network"], why: "checks addresses with node:net, and connects to none" },
  "src/kernel/dns.ts": { what: ["network"], why: "asks for the addresses of a name" },
  "src/listen/ports.ts": { what: ["network", "timers"], why: "hears programs, and hangs up on silent ones" },
  "src/notices/http-post.ts": { what: ["network"], why: "sends notices" },
  "src/auth/oidc/http.ts": { what: ["network"], why: "asks the provider that people sign in by" },
  "src/storage/engine/postgres.ts": { what: ["network"], why: "is the connection to the server" },
  "src/sync/scheduler.ts": { what: ["timers"], why: "keeps the minute with croner; a tick is told the time" },
  "src/simulated/services.ts": { what: ["network"], why: "plays the services on an address of this machine" },
  "src/server/server.ts": { what: ["network"], why: "takes the address" },
  "src/worker/job-loop.ts": { what: ["time", "chance"], why: "gives the world of the jobs its clock and chance" },
  "cli/main.ts": {
    what: ["environment", "timers"],
    why: "hands over what the shell gives; lets a start pass before it is compiled",
  },
  "cli/cli.ts": { what: ["environment"], why: "says where a bug is, if asked to" },
  "cli/version.ts": { what: ["environment"], why: "is told the commit by the build" },
  "cli/shell.ts": { what: ["time", "chance"], why: "gives the world its clock and chance" },
  "cli/progress.ts": { what: ["time"], why: "draws for a person, not too often" },
  "cli/commands": { what: ["time", "network", "timers"], why: "give the world its clock; knock at a server" },
  "cli/client": { what: ["network", "timers"], why: "ask a server and wait for its jobs" },
  "cli/tui": { what: ["time", "timers", "environment"], why: "draw and poll for a person" },
};

const meetsIn = (file: string): readonly Reach[] =>
  Object.keys(MEETS)
    .filter((place) => file === place || file.startsWith(`${place}/`))
    .flatMap((place) => MEETS[place]!.what);

const reachesIn = (text: string): { line: number; what: Reach }[] =>
  text
    .split("\n")
    .flatMap((code, index) =>
      /^\s*(\/\/|\/?\*)/.test(code)
        ? []
        : (Object.keys(REACHES) as Reach[])
            .filter((what) => REACHES[what].test(code))
            .map((what) => ({ line: index + 1, what })),
    );

const REACHED = FILES.flatMap((file) =>
  reachesIn(readFileSync(join(ROOT, file), "utf8")).map(({ line, what }) => ({ file, line, what })),
);

// Invariant: clock, randomness, timers, network and environment are passed in
test("time, randomness, timers, network and environment come from World", () => {
  const wrong = REACHED.filter(({ file, what }) => !meetsIn(file).includes(what));

  expect(wrong.map(({ file, line, what }) => `${file}:${line}: ${what}`)).toEqual([]);
});

test("only the listed files use the clock, randomness, timers and network directly", () => {
  const spare = Object.entries(MEETS).flatMap(([place, { what }]) =>
    what
      .filter(
        (one) =>
          !REACHED.some(
            ({ file, what: met }) => met === one && meetsIn(file).includes(one) && `${file}/`.startsWith(`${place}/`),
          ),
      )
      .map((one) => `${place}: ${one}`),
  );

  expect(spare).toEqual([]);
});

test("every way to use them directly is found", () => {
  const spellings: Record<Reach, readonly string[]> = {
    time: [
      "const at = Date.now();",
      "f(Date.now)",
      "new Date()",
      "new Date;",
      "const words = Date();",
      "performance.now()",
      "process.hrtime.bigint()",
      "Bun.nanoseconds()",
      "process.uptime()",
      "Temporal.Now.instant()",
      'import { performance as p } from "node:perf_hooks";',
    ],
    chance: [
      "Math.random()",
      "crypto.randomUUID()",
      'import { randomUUID as id } from "node:crypto";',
      'import { createHash, randomBytes } from "crypto";',
      "crypto.getRandomValues(bytes)",
      "Bun.randomUUIDv7()",
      "randomInt(6)",
    ],
    timers: [
      "setTimeout(task, 1)",
      "globalThis.setInterval(task, 1)",
      "await new Promise((turn) => setImmediate(turn))",
      "await Bun.sleep(1)",
      "Bun.sleepSync(1)",
      "AbortSignal.timeout(5)",
      'import { setTimeout as wait } from "node:timers/promises";',
      "Atomics.wait(view, 0, 0, 5)",
      'import { Cron } from "croner";',
    ],
    network: [
      "await fetch(url)",
      "return await fetch(server + path + queryText(query), {",
      "app.listen({ port })",
      "Bun.connect({})",
      "Bun.listen({})",
      "Bun.serve({})",
      'import { connect } from "node:net";',
      'const { connect } = process.getBuiltinModule("node:net");',
      'import http from "http";',
      'const tls = await import("node:tls");',
      'import { lookup } from "node:dns/promises";',
      "new WebSocket(url)",
      "new SQL(url)",
    ],
    environment: ["process.env.HOME", "Bun.env.HOME", "import.meta.env.HOME"],
  };
  const harmless = [
    "new Date(at).toISOString()",
    "Date.parse(text)",
    "Date.UTC(2026, 1)",
    "this.#fetch(url)",
    "fetch: (request) => {",
    "fetch(request: Request): Response {",
    "sleep(5)",
    "await server.listen()",
    '{ type: "http" }',
  ];

  for (const [what, lines] of Object.entries(spellings)) {
    for (const line of lines) expect([line, reachesIn(line).map((one) => one.what)]).toEqual([line, [what as Reach]]);
  }
  expect(harmless.filter((line) => reachesIn(line).length > 0)).toEqual([]);
});

// Invariant: SQL is written only in `src/storage`
// Defence: values are never part of SQL text
test("SQL is written only in src/storage", () => {
  const statement = /\b(SELECT\s[\s\S]*?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b/;
  const elsewhere = FILES.filter((file) => !file.startsWith("src/storage/")).filter((file) =>
    statement.test(readFileSync(join(ROOT, file), "utf8")),
  );

  expect(elsewhere).toEqual([]);
});

test("only origins, providers and simulators name a particular service", () => {
  const mayName = /^(src\/domain\/origins\/|src\/providers\/|src\/simulated\/|src\/demo\/)/;
  const named = FILES.filter((file) => !mayName.test(file)).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (/lotw|qrz/i.test(line) ? [`${file}:${index + 1}`] : [])),
  );

  expect(named).toEqual([]);
});

// Bun reads tsconfig.json in the folder where the program is started, not where its sources are.
// Invariant: pages do not depend on the folder where the program starts
test("every view names its JSX runtime, so that it works in any working directory", () => {
  const firstLine = (file: string) => `/** @jsxImportSource ${file.startsWith("cli/") ? "react" : "@kitajs/html"} */\n`;
  const silent = FILES.filter((file) => file.endsWith(".tsx")).filter(
    (file) => !readFileSync(join(ROOT, file), "utf8").startsWith(firstLine(file)),
  );

  expect(silent).toEqual([]);
});

const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The packages that files import, without those of Bun. */
const packagesIn = (files: readonly string[]): Set<string> =>
  new Set(
    files
      .map((file) => readFileSync(join(ROOT, file), "utf8"))
      .flatMap((text) => [...text.matchAll(IMPORT), ...text.matchAll(/^\/\*\* @jsxImportSource (\S+)/g)])
      .map(([, target]) => target!)
      .filter((target) => !/^(\.|node:|bun(:|$))/.test(target))
      .map((target) => /^(@[^/]+\/)?[^/]+/.exec(target)![0]),
  );

const DESCRIPTIONS = Object.keys(PACKAGE.devDependencies)
  .filter((name) => name.startsWith("@types/"))
  .map((name) => name.slice("@types/".length));

test("every dependency is imported, and every imported package is a dependency", () => {
  const imported = [...packagesIn(FILES)].filter(
    (name) => name in PACKAGE.dependencies || !DESCRIPTIONS.includes(name),
  );

  expect(imported.sort()).toEqual(Object.keys(PACKAGE.dependencies).sort());
});

/** Development dependencies that no file imports, and what they are for. */
const TOOLS: Record<string, string> = {
  "bun-types": "the types of the runtime, named in tsconfig.json",
  "@kitajs/ts-html-plugin": "the escape scan",
  typescript: "what the escape scan reads programs with",
  oxlint: "the linter",
  "@ham2k/lib-qson-adif": "a reader without types, and logs of other programs that test/support/samples.ts reads",
  "openapi-fetch": "what docs/examples/client.ts imports, which a test compiles and runs",
  tcadif: "a reader to compare with, which test/adif/tcadif.ts loads in its own way",
};

test("every development dependency is imported by a test, provides types, or is a tool", () => {
  const imported = packagesIn([...FILES, ...filesBelow("test"), ...filesBelow("deploy")]);
  const spare = Object.keys(PACKAGE.devDependencies).filter(
    (name) => !(name in TOOLS) && !imported.has(name.replace(/^@types\//, "")),
  );

  expect(spare).toEqual([]);
  expect(Object.keys(TOOLS).filter((name) => !(name in PACKAGE.devDependencies))).toEqual([]);
});

/** State that a file keeps between calls, and why it may. */
const REMEMBERS: Record<string, string> = {
  "src/adif/field-order.ts": "keeps the names of fields in the order in which they are first read",
  "src/worker/worker.ts": "a thread has one database, which it is told when it starts",
  "src/domain/contact/confirmed.ts": "the texts of confirmed_as that were read, which contacts share; at most 10,000",
  "src/kernel/instant.ts": "the last days read, which contacts share; what is read is a function of the text",
  "src/people/common-passwords.ts": "the list of common passwords, which never changes",
  "src/domain/contact/records.ts": "the place of a record among those of its contact; it goes with the record",
  "src/kernel/schema.ts": "a schema compiled once; it goes with the schema",
  "src/server/http/response.ts": "how much was answered since the last collection of garbage, which is one for all",
  "src/server/http/connection.ts": "the connection of a request; it goes with the request",
  "src/server/dashboard/pages.tsx": "charts drawn once; they go with their figures",
  "src/callsign/historic.ts": "a table made from a list when it is loaded, and never changed",
  "views/charts/areas.ts": "the maps of the world and its parts, each drawn once",
  "views/charts/land.ts": "the outline of the land, drawn once",
};

test("no file keeps state between calls, except those in the list", () => {
  const keeping = FILES.filter((file) =>
    /^(export )?(let |const \w+(: [^=]+)? = new (Map|WeakMap|Set)(<.*>)?\(\))/m.test(
      readFileSync(join(ROOT, file), "utf8"),
    ),
  );

  expect(keeping.sort()).toEqual(Object.keys(REMEMBERS).sort());
});
