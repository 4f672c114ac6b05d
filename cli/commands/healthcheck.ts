import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import type { Flags, Shell } from "../shell.ts";

interface Health {
  status: string;
  version: string;
}

const PATIENCE_MS = 5_000;

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "healthcheck",
      "exit with 0 if the running server is healthy",
      ["qsolog healthcheck", "qsolog healthcheck --port 8080"],
      { settings: "all" },
    )
    .action((flags: Flags) => healthcheck(shell, flags));
};

const healthcheck = async (shell: Shell, flags: Flags): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const host = ["0.0.0.0", "::", "[::]"].includes(config.host) ? "127.0.0.1" : config.host;
  const url = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${config.port}/healthz`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => null);
  const health = answer?.ok ? ((await answer.json().catch(() => null)) as Health | null) : null;
  if (health?.status !== "ok")
    throw new AppError("unavailable", `The server at ${url} does not answer or is not healthy.`);
  shell.answer(health, () => `healthy, version ${health.version}`);
};
