import type { Command } from "commander";
import type { Shell } from "../shell.ts";
import { registerImport } from "./import.ts";

export const register = (program: Command, shell: Shell): void => {
  registerImport(program.command("qso").description("the contacts of a log"), shell);
};
