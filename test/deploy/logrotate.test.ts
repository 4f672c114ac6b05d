import { expect, setDefaultTimeout, test } from "bun:test";
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aDirectory } from "../support/directory.ts";
import { ROOT } from "../support/qsolog.ts";
import { serving } from "../support/serving.ts";

setDefaultTimeout(120_000);

const LOGROTATE = Bun.which("logrotate", { PATH: `${process.env.PATH}:/usr/sbin` });
const EXAMPLE = readFileSync(join(ROOT, "deploy/logrotate.conf"), "utf8");
const ROTATIONS = 3;

/** The example for this directory, this user and this process. */
const exampleFor = (dataDir: string, pid: number): string => {
  const [user, group] = ["-un", "-gn"].map((what) => Bun.spawnSync(["id", what]).stdout.toString().trim());
  const changes = [
    ["/var/lib/qsolog/", `${dataDir}/`],
    ["su qsolog qsolog", `su ${user} ${group}`],
    ["systemctl kill --kill-who=main --signal=HUP 'qsolog[.@]*service'", `kill -HUP ${pid}`],
  ] as const;
  return changes.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replaceAll(from, to);
  }, EXAMPLE);
};

const name = LOGROTATE ? "" : " (logrotate is not installed)";
// Defence: log rotation loses no entry
test.skipIf(LOGROTATE === null)(`logrotate takes the log away under load, and no line is lost${name}`, async () => {
  const dataDir = aDirectory();
  const config = join(aDirectory(), "logrotate.conf");
  const { child, url } = await serving({ QSOLOG_DATA_DIR: dataDir });
  writeFileSync(config, exampleFor(dataDir, child.pid));
  chownSync(config, process.getuid!(), process.getgid!());
  const asked: string[] = [];
  let isOver = false;
  const load = (async () => {
    while (!isOver) asked.push((await fetch(`${url}/nothing`)).headers.get("x-request-id")!);
  })();

  for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
    const linesBefore = asked.length;
    const rotate = Bun.spawnSync([LOGROTATE!, "--force", "--state", join(dataDir, "state"), config]);
    expect([rotate.exitCode, rotate.stderr.toString()]).toEqual([0, ""]);
    while (!existsSync(join(dataDir, "qsolog.log"))) await Bun.sleep(2);
    while (asked.length < linesBefore + 20) await Bun.sleep(2);
  }
  isOver = true;
  await load;
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);

  const files = readdirSync(dataDir).filter((file) => file.startsWith("qsolog.log"));
  expect(files.sort()).toEqual(["qsolog.log", "qsolog.log.1", "qsolog.log.2.gz", "qsolog.log.3.gz"]);
  const texts = files.map((file) => readFileSync(join(dataDir, file)));
  const lines = texts.flatMap((bytes, at) =>
    (files[at]!.endsWith(".gz") ? Buffer.from(Bun.gunzipSync(bytes)) : bytes).toString("utf8").trimEnd().split("\n"),
  );
  const logged = lines.map((line) => (JSON.parse(line) as { id?: string }).id).filter((id) => id !== undefined);
  expect(logged.sort()).toEqual(asked.sort());
  expect(readFileSync(join(dataDir, "qsolog.log"), "utf8")).toContain('"event":"server.stopped"');
  expect(statSync(join(dataDir, "qsolog.log")).mode & 0o777).toBe(0o600);
});
