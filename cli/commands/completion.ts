import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import type { World } from "../../src/world.ts";
import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { buildBashCompletion } from "../completion/bash.ts";
import { buildFishCompletion } from "../completion/fish.ts";
import { listPositions, type Position } from "../completion/positions.ts";
import { buildZshCompletion } from "../completion/zsh.ts";
import { readTree } from "../command-tree.ts";
import type { Flags, Shell } from "../shell.ts";

const SHELLS: Record<string, (stops: readonly Position[]) => string> = {
  bash: buildBashCompletion,
  zsh: buildZshCompletion,
  fish: buildFishCompletion,
};

/** Used by the completion scripts. */
const LISTS: Record<string, (db: World["db"]) => Promise<string[]>> = {
  async usernames(db) {
    const { listUsernames } = await import("../../src/upkeep/completion-values.ts");
    return listUsernames(db);
  },
  async jobs(db) {
    const { listNewestJobs } = await import("../../src/upkeep/completion-values.ts");
    return (await listNewestJobs(db)).map(
      ({ id, source, status, createdAt }) => `${id}\t${LABELS[source]} ${STATE_WORDS[status]} ${formatUtc(createdAt)}`,
    );
  },
};

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "completion <bash|zsh|fish>", "print the completion script for a shell", {
      examples: [
        "source <(qsolog completion bash)",
        'qsolog completion zsh > "${fpath[1]}/_qsolog"',
        "qsolog completion fish > ~/.config/fish/completions/qsolog.fish",
      ],
    })
    .action((name: string, flags: Flags) => complete(shell, program, name, flags));
};

const complete = async (shell: Shell, program: Command, name: string, flags: Flags): Promise<void> => {
  if (Object.hasOwn(LISTS, name)) return offer(shell, name, flags);
  const write = SHELLS[name.toLowerCase()];
  if (!write) {
    const names = Object.keys(SHELLS);
    throw new AppError("invalid", `No completion exists for ${JSON.stringify(name)}. Use ${names.join(", ")}.`);
  }
  const script = write(listPositions(readTree(program, shell)));
  shell.answerAsIs({ shell: name.toLowerCase(), script }, script);
};

/** Pressing Tab neither creates nor migrates the database, and errors are silent. */
const offer = async (shell: Shell, name: string, flags: Flags): Promise<void> => {
  const { config } = shell.readConfig(flags);
  const { databaseExists } = await import("../../src/world.ts");
  if (!databaseExists(config)) return;
  const { withDatabase } = await import("../../src/upkeep/database.ts");
  try {
    const words = await withDatabase(config, { time: SYSTEM_TIME }, LISTS[name]!);
    shell.answerAsIs({ [name]: words }, words.join("\n"));
  } catch {
    shell.exitCode = 1;
  }
};
