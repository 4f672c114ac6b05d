import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { dependencies, scripts } from "../../package.json";
import { buildDebianPackage, type DebianPackage } from "../../deploy/debian.ts";
import { isNewer, readSection, releaseChangelog, toImageOfRelease } from "../../deploy/release.ts";
import { buildSbom } from "../../deploy/sbom.ts";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";

setDefaultTimeout(60_000);

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("the changelog", () => {
  const TEXT = "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.8.0 - 2026-01-01\n\n- An old thing.\n";

  test("gets a section for the version, and its notes are what was unreleased", () => {
    const released = releaseChangelog(TEXT, "0.9.0", "2026-11-26");

    expect(released).toContain("## Unreleased\n\n## 0.9.0 - 2026-11-26\n\n### Added\n\n- A thing.\n\n## 0.8.0");
    expect(readSection(released, "0.9.0")).toBe("### Added\n\n- A thing.");
    expect(() => releaseChangelog(released, "0.9.1", "2026-11-26")).toThrow("nothing under Unreleased");
    expect(() => releaseChangelog(TEXT, "0.8.0", "2026-11-26")).toThrow("already has 0.8.0");
    expect(() => readSection(TEXT, "0.9.0")).toThrow("no section for 0.9.0");
  });

  test("of this program can be released", () => {
    // Nothing is unreleased right after a release.
    const text = read("CHANGELOG.md").replace("## Unreleased\n", "## Unreleased\n\n- A thing.\n");

    expect(readSection(releaseChangelog(text, "99.0.0", "2026-11-26"), "99.0.0")).toStartWith("- A thing.");
  });
});

test.each([
  ["0.9.0", "0.1.0", true],
  ["1.0.0-rc.1", "0.9.0", true],
  ["1.0.0", "1.0.0-rc.1", true],
  ["0.9.0", "0.9.0", false],
  ["0.9.0", "0.10.0", false],
  ["v0.9.0", "0.1.0", false],
  ["next", "0.1.0", false],
])("%s can follow %s: %p", (version, than, expected) => {
  expect(isNewer(version, than)).toBe(expected);
});

describe("the list of packages", () => {
  const sbom = buildSbom("0.9.0", new Date(0));
  const refs = sbom.components.map((component) => component["bom-ref"]);

  test("names every dependency once, with version, license and hash", () => {
    for (const [name, version] of Object.entries(dependencies)) expect(refs).toContain(`${name}@${version}`);
    expect(new Set(refs).size).toBe(refs.length);
    for (const component of sbom.components.slice(1)) {
      expect(component).toMatchObject({
        purl: expect.stringMatching(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@\d/),
        hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      });
    }
  });

  test("has no package of development only, and says who needs whom", () => {
    expect(refs.filter((ref) => /^(typescript|oxlint|tcadif|axe-core|html-validate)@/.test(ref))).toEqual([]);
    const known = new Set(["qsolog@0.9.0", ...refs]);
    for (const { ref, dependsOn } of sbom.dependencies) {
      expect(known).toContain(ref);
      for (const one of dependsOn) expect(known).toContain(one);
    }
    expect(sbom.dependencies.length).toBe(known.size);
  });
});

test("the image of a release is the last stage of the Dockerfile with the executable of each architecture", () => {
  const image = toImageOfRelease(read("deploy/Dockerfile"));

  expect(image).not.toContain("AS build");
  expect(image).not.toContain("--from=build");
  expect(image).toContain("ARG TARGETARCH\nCOPY ${TARGETARCH}/qsolog /usr/local/bin/qsolog\n");
  expect(image).toContain("COPY --chown=65532:65532 --chmod=0700 empty /data\n");
  expect(image).toContain('CMD ["serve"]');
});

const DPKG = Bun.which("dpkg-deb");

const aPackage = (changes: Partial<DebianPackage> = {}): string => {
  const folder = aDirectory();
  const executable = join(folder, "qsolog");
  writeFileSync(executable, "#!/bin/sh\necho it runs\n");
  const outfile = join(folder, "qsolog.deb");
  buildDebianPackage({
    executable,
    version: "0.9.0-rc.1",
    architecture: "arm64",
    manualPage: ".TH QSOLOG 1",
    changelog: "# Changelog",
    completions: { bash: "b", zsh: "z", fish: "f" },
    outfile,
    ...changes,
  });
  return outfile;
};

test.skipIf(DPKG === null)("the Debian package holds the program, its units, manual and completions", () => {
  const outfile = aPackage();
  const tree = aDirectory();
  const dpkg = (...words: string[]) => Bun.spawnSync([DPKG!, ...words]).stdout.toString();
  dpkg("-x", outfile, tree);
  const unpacked = (path: string) => readFileSync(join(tree, path), "utf8");

  expect(dpkg("-f", outfile, "Package", "Version", "Architecture")).toBe(
    "Package: qsolog\nVersion: 0.9.0~rc.1\nArchitecture: arm64\n",
  );
  expect(Bun.spawnSync([join(tree, "usr/bin/qsolog")]).stdout.toString()).toBe("it runs\n");
  expect(statSync(join(tree, "usr/lib/qsolog/backup.sh")).mode & 0o111).toBe(0o111);
  for (const unit of ["qsolog.service", "qsolog@.service", "qsolog-backup.service", "qsolog-backup.timer"]) {
    expect(unpacked(`usr/lib/systemd/system/${unit}`)).not.toContain("/usr/local");
  }
  expect(unpacked("usr/lib/systemd/system/qsolog.service")).toContain("ExecStart=/usr/bin/qsolog serve\n");
  expect(unpacked("usr/lib/systemd/user/qsolog-listen.service")).not.toContain("/usr/local");
  expect(gunzipSync(readFileSync(join(tree, "usr/share/man/man1/qsolog.1.gz"))).toString()).toBe(".TH QSOLOG 1");
  expect(dpkg("-c", outfile)).not.toMatch(/ (?!root\/root)\S+\/\S+ +\d+ 20/);
});

test.skipIf(DPKG === null)("the Debian package is installed, upgraded and purged, and never removes a log", () => {
  const root = aDirectory();
  mkdirSync(join(root, "var/lib/dpkg/info"), { recursive: true });
  for (const file of ["status", "available"]) writeFileSync(join(root, "var/lib/dpkg", file), "");
  const dpkg = (...words: string[]) => {
    const forced = ["--force-script-chrootless", "--force-not-root", "--force-depends", "--force-architecture"];
    const log = `--log=${join(root, "dpkg.log")}`;
    const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` };
    const { exitCode, stderr } = Bun.spawnSync(["dpkg", `--root=${root}`, log, ...forced, ...words], { env });
    expect([words, exitCode, exitCode === 0 || stderr.toString()]).toEqual([words, 0, true]);
  };
  const [program, rotation, log] = ["usr/bin/qsolog", "etc/logrotate.d/qsolog", "var/lib/qsolog/qsolog.db"].map(
    (path) => join(root, path),
  ) as [string, string, string];

  dpkg("-i", aPackage({ version: "0.8.9" }));
  expect(Bun.spawnSync([program]).stdout.toString()).toBe("it runs\n");
  mkdirSync(dirname(log));
  writeFileSync(log, "contacts");
  writeFileSync(rotation, "changed by hand");
  dpkg("-i", aPackage({ version: "0.9.0" }));
  expect(readFileSync(rotation, "utf8")).toBe("changed by hand");
  dpkg("-r", "qsolog");
  expect([program, rotation, log].map((path) => existsSync(path))).toEqual([false, true, true]);
  dpkg("-P", "qsolog");
  expect([program, rotation, log].map((path) => existsSync(path))).toEqual([false, false, true]);
});

describe("the workflows", () => {
  interface Step {
    uses?: string;
    run?: string;
    if?: string;
  }
  interface Workflow {
    permissions: Record<string, string>;
    jobs: Record<string, { uses?: string; needs?: string; "timeout-minutes"?: number; steps?: Step[] }>;
  }
  const workflow = (name: string) => Bun.YAML.parse(read(`.github/workflows/${name}.yml`)) as Workflow;
  const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps = [] }) => steps);

  test("CI runs what everyone runs, and may only read", () => {
    const ci = workflow("ci");

    expect(stepsOf(ci).map(({ run }) => run)).toContain("bash .ci/run");
    expect(ci.permissions).toEqual({ contents: "read" });
  });

  test("a release is checked first, and published for a tag only", () => {
    const release = workflow("release");

    expect(release.jobs.check?.uses).toBe("./.github/workflows/ci.yml");
    expect(release.jobs.release?.needs).toBe("check");
    const publishing = stepsOf(release).filter(({ run = "", uses = "" }) =>
      /--push|gh release|login-action|attest-/.test(run + uses),
    );
    expect(publishing).toHaveLength(4);
    for (const step of publishing) expect(step.if).toBe("github.ref_type == 'tag'");
  });

  test.each(["ci", "release"])(
    "%s uses actions of a version, scripts that exist, and no secret but GitHub's own",
    (name) => {
      const text = read(`.github/workflows/${name}.yml`);
      const steps = stepsOf(workflow(name));

      for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      for (const { run } of steps) {
        const [, script] = /bun run (\S+)/.exec(run ?? "") ?? [];
        if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
      }
      expect([...text.matchAll(/secrets\.(\w+)/g)].filter(([, secret]) => secret !== "GITHUB_TOKEN")).toEqual([]);
      expect(text.includes("bun-version") ? text : "bun-version: 1.4.5").toContain("bun-version: 1.4.5");
    },
  );
});
