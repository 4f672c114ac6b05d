import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { SETTINGS, environmentName } from "../../src/config.ts";
import { aDirectory } from "../support/directory.ts";
import { leavesOf } from "../../cli/command-tree.ts";
import { commandTree } from "../cli/program.ts";
import { ROOT } from "../support/qsolog.ts";

const ANALYZE = Bun.which("systemd-analyze");
const TEMPLATE = "qsolog@.service";
const UNITS = ["qsolog.service", "qsolog-backup.service", "qsolog-backup.timer", TEMPLATE];
/** On the scale of `systemd-analyze security`, where 10 has no defences. */
const MAX_EXPOSURE = { "qsolog.service": 1.5, [TEMPLATE]: 1.5, "qsolog-backup.service": 0.8 };

/** A user unit for the machine at the radio. */
const LISTENER = "user/qsolog-listen.service";

/** An instance name for template units. */
const asStarted = (unit: string) => unit.replace("@.", "@7371.");

const textOf = (unit: string) => readFileSync(join(ROOT, "deploy/systemd", unit), "utf8");

/** The files that the units start must exist, otherwise systemd reports it. */
const unitsThatStart = (): string => {
  const folder = aDirectory();
  for (const unit of [...UNITS, LISTENER]) {
    const text = textOf(unit)
      .replace("/usr/local/bin/qsolog ", `${process.execPath} `)
      .replace("/usr/local/lib/qsolog/backup.sh", join(ROOT, "deploy/backup.sh"));
    writeFileSync(join(folder, asStarted(basename(unit))), text);
  }
  return folder;
};

const analyze = (words: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([ANALYZE!, ...words], {
    env: { XDG_RUNTIME_DIR: aDirectory(), ...process.env, LC_ALL: "C" },
  });
  return { code: exitCode, said: stdout.toString() + stderr.toString() };
};

const name = `the systemd units${ANALYZE ? "" : " (there is no systemd-analyze)"}`;
describe.skipIf(ANALYZE === null)(name, () => {
  test("are accepted by systemd completely", () => {
    const folder = unitsThatStart();

    for (const unit of UNITS) {
      const started = asStarted(unit);
      const { code, said } = analyze(["verify", "--man=no", join(folder, started)]);
      expect([started, code, said.split("\n").filter((line) => line.includes(started))]).toEqual([started, 0, []]);
    }
    const { code, said } = analyze(["--user", "verify", "--man=no", join(folder, basename(LISTENER))]);
    expect([code, said.split("\n").filter((line) => line.includes(basename(LISTENER)))]).toEqual([0, []]);
    expect(analyze(["calendar", /^OnCalendar=(.*)$/m.exec(textOf("qsolog-backup.timer"))![1]!]).code).toBe(0);
  });

  // Defence: the service can write to one directory and has a system call filter
  test("restrict what a hijacked program could do", () => {
    for (const [unit, most] of Object.entries(MAX_EXPOSURE)) {
      const { said } = analyze(["security", "--offline=true", "--no-pager", join(unitsThatStart(), asStarted(unit))]);
      const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1] ?? 10);
      expect([unit, exposure <= most, exposure]).toEqual([unit, true, exposure]);
    }
  });
});

test("restrict an instance of the template like the single server", () => {
  const confinement = (unit: string) => textOf(unit).split("# A runaway ends here")[1]!;

  expect(confinement(TEMPLATE)).toBe(confinement("qsolog.service"));
});

// Defence: the service has memory and process limits and writes no core dump
test("the units and the compose example limit memory and processes", () => {
  for (const unit of ["qsolog.service", TEMPLATE, "qsolog-backup.service"]) {
    expect(textOf(unit)).toContain("\nLimitCORE=0\n");
    expect(textOf(unit)).toMatch(/\nMemoryMax=\d+G\nTasksMax=\d+\n/);
  }
  expect(deployed("compose.yaml")).toMatch(/ mem_limit: \d+g\n +pids_limit: \d+\n/);
});

test("the unit for a listener starts an existing command", async () => {
  const text = textOf(LISTENER);
  const [, words] = /^ExecStart=\/usr\/local\/bin\/qsolog (.*)$/m.exec(text)!;
  const { flags } = leavesOf(await commandTree()).find((leaf) => leaf.words.join(" ") === "listen")!;
  const [command, ...options] = words!.split(" ");

  expect(command).toBe("listen");
  expect(options.filter((option) => !flags.some(({ name }) => name === option))).toEqual([]);
  expect(text).toContain("\nRestart=always\n");
  expect(text).toMatch(/\nLimitCORE=0\nMemoryMax=\d+G\nTasksMax=\d+\n/);
});

test("units, rotation and backup use the same paths and settings", () => {
  const [service, backup] = ["qsolog.service", "qsolog-backup.service"].map(textOf) as [string, string];
  const logrotate = readFileSync(join(ROOT, "deploy/logrotate.conf"), "utf8");
  const dataDir = /^Environment=QSOLOG_DATA_DIR=(.*)$/m.exec(service)![1]!;

  expect(backup).toContain(`Environment=QSOLOG_DATA_DIR=${dataDir}\n`);
  expect(logrotate).toContain(`\n${dataDir}/qsolog.log ${dataDir}/*/qsolog.log {`);
  expect(textOf(TEMPLATE)).toContain(`Environment=QSOLOG_DATA_DIR=${dataDir}/%i\nStateDirectory=qsolog/%i\n`);
  expect(textOf("qsolog.sysusers.conf")).toContain(` ${dataDir}\n`);
  const known = new Set(SETTINGS.map(environmentName));
  for (const text of [
    service,
    backup,
    textOf(TEMPLATE),
    textOf(LISTENER),
    ...["compose.yaml", "Dockerfile", "instances/compose.yaml", "instances/nginx.conf"].map((file) => deployed(file)),
  ]) {
    for (const [named] of text.matchAll(/QSOLOG_(?!COMMIT)[A-Z_]+/g)) expect(known).toContain(named);
  }
});

const deployed = (file: string) => readFileSync(join(ROOT, "deploy", file), "utf8");
