// The packages that the executable contains, as CycloneDX 1.6: https://cyclonedx.org/docs/1.6/json/
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

interface Manifest {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  engines?: { bun?: string };
}

/** Of bun.lock: name and version, registry, dependencies, integrity. The key is the path of those that need it. */
type Locked = [id: string, registry: string, info: Pick<Manifest, "dependencies">, integrity: string];

export const buildSbom = (version: string, releasedAt: Date) => {
  const own = readManifest(ROOT);
  const { packages } = Bun.JSONC.parse(readFileSync(join(ROOT, "bun.lock"), "utf8")) as {
    packages: Record<string, Locked>;
  };
  const self = `qsolog@${version}`;
  const found = new Map<string, { component: Component; dependsOn: string[] }>();

  /** The nearest version for a dependent: `a/b/c` before `a/c` before `c`. */
  const findKey = (dependent: string, name: string): string => {
    const path = dependent.split("/");
    for (let length = path.length; length >= 0; length--) {
      const key = [...path.slice(0, length), name].join("/");
      if (key in packages) return key;
    }
    throw new Error(`bun.lock has no ${name}.`);
  };
  const add = (key: string): string => {
    const [id, , { dependencies = {} }, integrity] = packages[key]!;
    if (found.has(id)) return id;
    const entry = { component: describe(id, integrity, readLicense(key)), dependsOn: [] as string[] };
    found.set(id, entry);
    entry.dependsOn = Object.keys(dependencies).map((name) => add(findKey(key, name)));
    return id;
  };
  const bun = `bun@${(own.engines?.bun ?? "").replace(/^\D+/, "")}`;
  const direct = Object.keys(own.dependencies ?? {}).map((name) => add(findKey("", name)));

  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      timestamp: releasedAt.toISOString(),
      component: { type: "application", "bom-ref": self, name: own.name, version, licenses: licensed(own.license) },
    },
    components: [describe(bun, null, "MIT"), ...[...found.values()].map(({ component }) => component)],
    dependencies: [
      { ref: self, dependsOn: [bun, ...direct] },
      { ref: bun, dependsOn: [] },
      ...[...found].map(([ref, { dependsOn }]) => ({ ref, dependsOn: [...new Set(dependsOn)] })),
    ],
  };
};

type Component = ReturnType<typeof describe>;

const describe = (id: string, integrity: string | null, license: string | undefined) => {
  const at = id.lastIndexOf("@");
  const [name, version] = [id.slice(0, at), id.slice(at + 1)];
  return {
    type: "library",
    "bom-ref": id,
    name,
    version,
    purl: `pkg:npm/${name.replace(/^@/, "%40")}@${version}`,
    ...(license === undefined ? {} : { licenses: licensed(license) }),
    ...(integrity === null ? {} : { hashes: [readHash(integrity)] }),
  };
};

/** SPDX knows many more; the rest is written as a name. */
const SPDX = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MPL-2.0"]);

const licensed = (license = "MIT") => {
  if (/[ ()]/.test(license)) return [{ expression: license }];
  return [{ license: SPDX.has(license) ? { id: license } : { name: license } }];
};

const readHash = (integrity: string) => {
  const [algorithm, content = ""] = integrity.split("-");
  if (algorithm !== "sha512") throw new Error(`bun.lock has an integrity of another kind: ${integrity}.`);
  return { alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") };
};

const readLicense = (key: string): string | undefined =>
  readManifest(join(ROOT, "node_modules", splitKey(key).join("/node_modules/"))).license;

/** The package names of a key such as `a/@b/c`. */
const splitKey = (key: string): string[] => key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
