// Makes a release: bun run release VERSION writes the version and the changelog, and builds everything into
// dist/release. bun run release --build only builds, for the version in package.json; it needs dpkg-deb.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildDebianPackage } from "./debian.ts";
import { buildSbom } from "./sbom.ts";

const ROOT = join(import.meta.dir, "..");
const OUT = join(ROOT, "dist/release");

const TARGETS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const ARCHITECTURES = { amd64: "linux-x64", arm64: "linux-arm64" } as const;

const VERSION = /^\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/;
const UNRELEASED = "## Unreleased";

const readText = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The changelog with what is unreleased under the version. */
export const releaseChangelog = (text: string, version: string, day: string): string => {
  if (readSection(text, "Unreleased").trim() === "") throw new Error("CHANGELOG.md has nothing under Unreleased.");
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md already has ${version}.`);
  return text.replace(`${UNRELEASED}\n`, () => `${UNRELEASED}\n\n## ${version} - ${day}\n`);
};

/** What the changelog says about a version. */
export const readSection = (text: string, version: string): string => {
  const sections = text.split(/^## /m).slice(1);
  const section = sections.find((one) => /^\S+/.exec(one)?.[0] === version);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return section.slice(section.indexOf("\n") + 1).trim();
};

export const isNewer = (version: string, than: string): boolean =>
  VERSION.test(version) && version !== than && Bun.semver.order(version, than) > 0;

/** Writes the version and the changelog, and keeps a database of this version for the tests of later ones. */
const prepare = (version: string, day: string): void => {
  const manifest = readText("package.json");
  const current = (JSON.parse(manifest) as { version: string }).version;
  if (!isNewer(version, current)) throw new Error(`${version} is not a version after ${current}, such as 1.2.3.`);
  if (run(["git", "status", "--porcelain"]) !== "") throw new Error("Commit or remove your changes first.");
  const changelog = releaseChangelog(readText("CHANGELOG.md"), version, day);
  writeFileSync(join(ROOT, "CHANGELOG.md"), changelog);
  writeFileSync(join(ROOT, "package.json"), manifest.replace(`"version": "${current}"`, `"version": "${version}"`));
  run([process.execPath, "test/fixtures/releases/make.ts"]);
};

const build = (targets: readonly string[]): void => {
  const { version } = JSON.parse(readText("package.json")) as { version: string };
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const section = readSection(readText("CHANGELOG.md"), version);
  writeFileSync(join(OUT, "NOTES.md"), `${section}\n`);
  writeFileSync(join(OUT, "sbom.cdx.json"), `${JSON.stringify(buildSbom(version, readCommitDate()), null, 2)}\n`);
  const qsolog = (...words: string[]): string => run([process.execPath, "cli/main.ts", ...words]);
  for (const target of targets) {
    run([process.execPath, "deploy/build.ts", "--target", target, "--outfile", join(OUT, `qsolog-${target}`)]);
  }
  for (const architecture of ["amd64", "arm64"] as const) {
    const target = ARCHITECTURES[architecture];
    if (!targets.includes(target)) continue;
    const executable = join(OUT, `qsolog-${target}`);
    buildDebianPackage({
      executable,
      version,
      architecture,
      manualPage: qsolog("man"),
      changelog: readText("CHANGELOG.md"),
      completions: {
        bash: qsolog("completion", "bash"),
        zsh: qsolog("completion", "zsh"),
        fish: qsolog("completion", "fish"),
      },
      outfile: join(OUT, `qsolog_${version.replace("-", "~")}_${architecture}.deb`),
    });
    mkdirSync(join(OUT, "image", architecture), { recursive: true });
    copyFileSync(executable, join(OUT, "image", architecture, "qsolog"));
    chmodSync(join(OUT, "image", architecture, "qsolog"), 0o755);
  }
  writeFileSync(join(OUT, "image/Dockerfile"), toImageOfRelease(readText("deploy/Dockerfile")));
  mkdirSync(join(OUT, "image/empty"), { mode: 0o700 });
  writeFileSync(join(OUT, "SHA256SUMS"), hashFiles(OUT));
};

/** The last stage of the Dockerfile, with the executables of this release. */
export const toImageOfRelease = (dockerfile: string): string => {
  const stage = dockerfile.slice(dockerfile.lastIndexOf("FROM "));
  const from = "COPY --from=build /qsolog/dist/qsolog";
  if (!stage.includes(from)) throw new Error(`The last stage of deploy/Dockerfile has no "${from}".`);
  return (
    "# docker buildx build --platform linux/amd64,linux/arm64 -t qsolog .\n" +
    stage
      .replace(from, "ARG TARGETARCH\nCOPY ${TARGETARCH}/qsolog")
      .replace(/COPY --from=build (.*) \/empty /, "COPY $1 empty ")
  );
};

const hashFiles = (folder: string): string =>
  [...new Bun.Glob("*").scanSync(folder)]
    .filter((name) => name !== "SHA256SUMS" && name !== "NOTES.md")
    .sort()
    .map(
      (name) => `${new Bun.CryptoHasher("sha256").update(readFileSync(join(folder, name))).digest("hex")}  ${name}\n`,
    )
    .join("");

/** Two builds of a commit give the same list of packages. */
const readCommitDate = (): Date => new Date(run(["git", "log", "-1", "--format=%cI"]).trim());

const run = (command: string[]): string => {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`${command.join(" ")} failed: ${stderr.toString()}${stdout.toString()}`);
  return stdout.toString();
};

const main = (): void => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { build: { type: "boolean" }, target: { type: "string", multiple: true } },
  });
  const [version] = positionals;
  if ((version === undefined) !== Boolean(values.build)) throw new Error("Use bun run release VERSION or --build.");
  if (version !== undefined) prepare(version, new Date().toISOString().slice(0, 10));
  build(values.target ?? TARGETS);
  console.log(`Built into ${OUT}.`);
  if (version === undefined) return;
  console.log(`To publish:
  git add -A && git commit -m "Release ${version}" && git tag -a v${version} -m "qsolog ${version}"
  git push --follow-tags`);
};

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
