import type { Command } from "commander";
import { AppError } from "../../src/kernel/errors.ts";
import { COMPLETION_SCRIPTS } from "../completion/scripts.ts";
import type { Shell } from "../shell.ts";

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(program, "completion <bash|zsh|fish>", null, [
      "source <(qsolog completion bash)",
      'qsolog completion zsh > "${fpath[1]}/_qsolog"',
      "qsolog completion fish > ~/.config/fish/completions/qsolog.fish",
    ])
    .action((given: string) => {
      const name = given.toLowerCase();
      const script = COMPLETION_SCRIPTS[name];
      if (script === undefined) {
        const names = Object.keys(COMPLETION_SCRIPTS).join(", ");
        throw new AppError("invalid", `No completion exists for ${JSON.stringify(given)}. Use ${names}.`);
      }
      shell.answerAsIs({ shell: name, script }, script);
    });
};
