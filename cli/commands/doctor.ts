import type { Command } from "commander";
import { version } from "../../package.json";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import { isLoopback } from "../../src/kernel/addresses.ts";
import type { Reply } from "../../src/upkeep/checks/services.ts";
import type { Finding, Severity } from "../../src/upkeep/diagnostic.ts";
import { formatCount } from "../../src/kernel/number-text.ts";
import { getTypedLabel } from "../../src/domain/origins/labels.ts";
import { SERVICES } from "../../src/domain/jobs/source.ts";
import { type Flags, randomBytes, type Shell } from "../shell.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";

const PATIENCE_MS = 10_000;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "doctor", null, ["qsolog doctor", "qsolog doctor --offline --json"], { settings: "all" })
    .option("--offline", "do not contact other machines")
    .action((flags: Flags & { offline?: boolean }) => doctor(shell, flags));
};

const doctor = async (shell: Shell, flags: Flags & { offline?: boolean }): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { runChecks } = await import("../../src/upkeep/doctor.ts");
  const findings = await runChecks(
    { config, clock: Date.now, random: randomBytes, ...SYSTEM_TIME },
    {
      knock: flags.offline ? undefined : knock,
      onCheck: (check) => shell.progress.show(`${getCheckName(check)} …`, null),
    },
  );
  if (findings.some(({ severity }) => severity === "fail")) shell.exitCode = 1;
  shell.answer({ findings }, () => formatFindings(findings));
};

/** Any response shows that the server is reachable. */
const knock = async (url: string): Promise<Reply> => {
  const begun = performance.now();
  const isHere = isLoopback(new URL(url).hostname);
  const request: BunFetchRequestInit = {
    method: "HEAD",
    redirect: "manual",
    headers: { "user-agent": `qsolog/${version}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
    keepalive: false,
    ...(isHere ? { proxy: false } : {}),
  };
  try {
    const { status, headers } = await fetch(url, request as RequestInit);
    const date = Date.parse(headers.get("date") ?? "");
    return { status, date: Number.isNaN(date) ? null : date, ms: performance.now() - begun };
  } catch (error) {
    const { name, code, message } = error as Error & { code?: unknown };
    if (name === "TimeoutError") throw new Error(`no answer within ${PATIENCE_MS / 1000} seconds`);
    throw new Error(typeof code === "string" ? code : message);
  }
};

const CHECK_WIDTH = 12;

const formatFindings = (findings: readonly Finding[]): string => {
  const lines = findings.flatMap(({ check, severity, message, todo }) => [
    stripControlCharacters(`${severity.padEnd(5)} ${getCheckName(check).padEnd(CHECK_WIDTH)} ${message}`),
    ...(todo === null ? [] : [stripControlCharacters(`${" ".repeat(CHECK_WIDTH + 7)}-> ${todo}`)]),
  ]);
  const count = (wanted: Severity) => findings.filter(({ severity }) => severity === wanted).length;
  const [failed, warned] = [count("fail"), count("warn")];
  return [
    ...lines,
    "",
    failed + warned === 0 ? "No problems found." : `${failed} failed, ${formatCount(warned, "warning")}.`,
  ].join("\n");
};

/** Checks of a service have the service's name. */
const getCheckName = (check: string): string => {
  const service = SERVICES.find((one) => one === check);
  return service === undefined ? check : getTypedLabel(service);
};
