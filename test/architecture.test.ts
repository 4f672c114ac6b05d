import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dir, "..");

/** What each part of the tree may import. A part is the longest of these names that a path starts with. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "src/domain": [],
  "src/log.ts": [],
  "src/gate.ts": [],
  "src/under-way.ts": [],
  "src/this-machine.ts": [],
  "src/processes.ts": [],
  "src/gauges.ts": [],
  "src/setting-values.ts": ["src/domain", "src/this-machine.ts"],
  "src/config.ts": ["src/setting-values.ts", "src/domain", "src/log.ts"],
  "src/adif": ["src/domain"],
  "src/callsign": ["src/domain"],
  "src/storage": ["src/domain", "migrations"],
  "src/providers": ["src/domain", "src/adif", "src/this-machine.ts"],
  "src/simulated": ["src/domain"],
  "src/vault.ts": ["src/domain"],
  "src/schema.ts": ["src/domain"],
  "src/world.ts": [
    "src/vault.ts",
    "src/gate.ts",
    "src/under-way.ts",
    "src/domain",
    "src/storage",
    "src/providers",
    "src/callsign",
    "src/log.ts",
    "src/config.ts",
  ],
  "src/auth": ["src/world.ts", "src/storage", "src/domain"],
  "src/people": ["src/auth", "src/world.ts", "src/storage", "src/domain", "package.json"],
  "src/contacts": ["src/world.ts", "src/adif", "src/storage", "src/domain", "package.json"],
  "src/awards": ["src/world.ts", "src/storage", "src/domain"],
  "src/schedule": ["src/storage", "src/domain"],
  "src/sync": [
    "package.json",
    "src/awards",
    "src/schedule",
    "src/world.ts",
    "src/gate.ts",
    "src/processes.ts",
    "src/storage",
    "src/providers",
    "src/callsign",
    "src/adif",
    "src/domain",
  ],
  "src/auto-sync": ["src/schedule", "src/sync", "src/world.ts", "src/storage", "src/domain"],
  "src/logbook": [
    "src/contacts",
    "src/awards",
    "src/schedule",
    "src/sync",
    "src/auto-sync",
    "src/adif",
    "src/callsign",
    "src/world.ts",
    "src/storage",
    "src/domain",
  ],
  "src/upkeep": [
    "src/sync",
    "src/providers",
    "src/callsign",
    "src/processes.ts",
    "src/config.ts",
    "src/world.ts",
    "src/storage",
    "src/domain",
  ],
  "src/background": ["src/awards", "src/sync", "src/people", "src/storage"],
  "src/app.ts": [
    "src/logbook",
    "src/awards",
    "src/auto-sync",
    "src/callsign",
    "src/gauges.ts",
    "src/contacts",
    "src/sync",
    "src/people",
    "src/auth",
    "src/world.ts",
  ],
  "src/server": [
    "src/logbook",
    "src/people",
    "src/auth",
    "src/schema.ts",
    "src/log.ts",
    "src/config.ts",
    "src/app.ts",
    "src/domain",
    "views",
    "package.json",
  ],
  "src/demo": [
    "src/logbook",
    "src/schedule",
    "src/sync",
    "src/people",
    "src/simulated",
    "src/callsign",
    "src/world.ts",
    "src/storage",
    "src/config.ts",
    "src/log.ts",
    "src/domain",
  ],
  "src/main.ts": [
    "src/people",
    "src/app.ts",
    "src/server",
    "src/world.ts",
    "src/config.ts",
    "src/log.ts",
    "src/domain",
    "src/background",
  ],
  views: ["src/domain"],
  cli: [
    "src/logbook",
    "src/people",
    "src/upkeep",
    "src/contacts",
    "src/awards",
    "src/sync",
    "src/auth",
    "src/callsign",
    "src/providers/registry.ts",
    "src/adif",
    "src/background",
    "src/demo",
    "src/server/errors.ts",
    "src/world.ts",
    "src/config.ts",
    "src/log.ts",
    "src/main.ts",
    "src/this-machine.ts",
    "src/domain",
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

test("the scan sees the imports, type imports and lazy ones included", () => {
  const lines = IMPORTS.map(({ from, to }) => `${from} -> ${to}`);

  expect(lines).toContain("src/storage/sqlite.ts -> src/storage/unit.ts");
  expect(lines).toContain("src/auth/passwords.ts -> src/world.ts");
  expect(lines).toContain("cli/commands/admin.ts -> src/people/roles.ts");
});

test("imports point downwards", () => {
  const wrong = IMPORTS.filter(({ from, to }) => {
    const part = partOf(from);
    const allowed = MAY_IMPORT[part] ?? [];
    return partOf(to) !== part && !allowed.some((other) => to === other || to.startsWith(`${other}/`));
  });

  expect(wrong.map(({ line }) => line)).toEqual([]);
});

test("no file imports itself through others", () => {
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

test("time, chance, network and environment come from outside", () => {
  const allowed = /^(cli\/|src\/log\.ts|src\/providers\/http\.ts)/;
  const reached = FILES.filter((file) => !allowed.test(file)).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
      .filter(({ line }) =>
        /\bDate\.now\b|\bMath\.random\b|\bprocess\.env\b|(?<![.\w#])fetch\((?!.*\{$)|\bnew Date\(\)/.test(line),
      )
      .map(({ place }) => place),
  );

  expect(reached).toEqual([]);
});

test("SQL is written in storage only", () => {
  const statement = /\b(SELECT\s[\s\S]*?\sFROM|INSERT\s+INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b/;
  const elsewhere = FILES.filter((file) => !file.startsWith("src/storage/")).filter((file) =>
    statement.test(readFileSync(join(ROOT, file), "utf8")),
  );

  expect(elsewhere).toEqual([]);
});

test("what is peculiar to a service is named by its origin, its provider and its simulation only", () => {
  // Packed data is read by the places of these names, for ever.
  const mayName =
    /^(src\/domain\/origins\/|src\/providers\/|src\/simulated\/|src\/demo\/|src\/storage\/packed-names\.ts$)/;
  const named = FILES.filter((file) => !mayName.test(file)).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((line, index) => (/lotw|qrz/i.test(line) ? [`${file}:${index + 1}`] : [])),
  );

  expect(named).toEqual([]);
});

// The settings for the compiler are read where the program is started, not where its sources are.
test("markup says itself what becomes of it, wherever the program is started", () => {
  const silent = FILES.filter((file) => file.endsWith(".tsx")).filter(
    (file) => !/^\/\*\* @jsxImportSource (react|@kitajs\/html) \*\/\n/.test(readFileSync(join(ROOT, file), "utf8")),
  );

  expect(silent).toEqual([]);
});
