import { getTypedLabel } from "../../src/domain/origins/labels.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Command } from "commander";
import { serve } from "../../src/main.ts";
import { onSignals } from "../interruptible.ts";
import { randomBytes, type Shell } from "../shell.ts";
import { createDemoWorld, type DemoWorld } from "../../src/demo/world.ts";

interface DemoFlags {
  port?: string;
  host?: string;
  keep?: boolean;
}

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "demo",
      "serve a sample log with simulated services; deletes it when it ends",
      ["qsolog demo", "qsolog demo --port 8080 --keep"],
      { settings: "none" },
    )
    .option("--port <value>", "port to listen on; 0 picks a free one")
    .option("--host <value>", "address to listen on")
    .option("--keep", "keep the data directory when it ends")
    .action((flags: DemoFlags) => runDemo(shell, flags));
};

const runDemo = async (shell: Shell, { port, host, keep = false }: DemoFlags): Promise<void> => {
  const { terminal, env } = shell;
  const dataDir = mkdtempSync(join(tmpdir(), "qsolog-demo-"));
  const leave = () => {
    if (keep) terminal.err(`Kept the data directory: ${dataDir}`);
    else rmSync(dataDir, { recursive: true, force: true });
  };
  const asked = untilAskedToEnd(leave);
  try {
    const address = { port: port ?? (env.QSOLOG_PORT || undefined), host: host ?? (env.QSOLOG_HOST || undefined) };
    const demo = await createDemoWorld({ dataDir, ...address, clock: Date.now, random: randomBytes });
    try {
      const said: string[] = [];
      const outside = { clock: Date.now, random: randomBytes, echoLogTo: null, migrate: true };
      const server = await serve(demo.config, { ...outside, say: (words) => said.push(words) });
      shell.answer(signInDocument(demo, server.url), () => signInWords(demo, server.url));
      for (const words of said) terminal.err(words);
      await asked;
      await server.stop();
    } finally {
      await demo.stop();
    }
  } finally {
    leave();
  }
};

/** The first signal ends everything in order; a second one ends it immediately. */
const untilAskedToEnd = (leave: () => void): Promise<void> =>
  new Promise((resolve) => {
    const again = () => {
      leave();
      process.exit(1);
    };
    onSignals(Date.now, { first: resolve, again, signals: ["SIGINT", "SIGTERM", "SIGHUP"] });
  });

const signInDocument = ({ config, users, passwords, factorKeys }: DemoWorld, url: string) => ({
  url,
  dataDir: config.dataDir,
  users: users.map(({ username, role }) => ({
    username,
    role,
    password: passwords[username],
    factorKey: factorKeys[username],
  })),
});

const signInWords = ({ config, users, passwords, factorKeys }: DemoWorld, url: string): string =>
  [
    `Open ${url} and sign in as bob with the password ${passwords.bob}`,
    ...users.map(({ username, role, callsign }) => {
      const key = factorKeys[username];
      const more = key === undefined ? "" : `, and a code from an authenticator app with the key ${key}`;
      return `${username} (${role}, ${callsign}), password: ${passwords[username]}${more}`;
    }),
    `From another shell: qsolog sync ${getTypedLabel("second")} --user bob --data-dir ${config.dataDir}`,
  ].join("\n");
