import { Option, type Command } from "commander";
import { AppError } from "../src/kernel/errors.ts";
import { FIELDS, fieldsThat } from "../src/domain/contact/fields.ts";
import { frequencyTyped } from "../src/domain/radio/band.ts";
import type { TypedQso } from "../src/contacts/fields.ts";
import type { Flags } from "./shell.ts";

interface TypedFlag {
  /** As commander reads it. */
  flag: string;
  option: string;
  /** The name of the interface. */
  name: string;
  meaning: string;
}

const FLAGS: readonly TypedFlag[] = fieldsThat("option").map((name) => {
  const [option, meaning] = FIELDS[name].option;
  return { flag: new Option(option).attributeName(), option, name, meaning };
});

/** The options for what a person types of a contact. */
export const addTypedFlags = (command: Command): Command => {
  for (const { option, meaning } of FLAGS) command.option(option, meaning);
  return command.option("--field <name=value>", "any other ADIF field; can be repeated", collect, []);
};

const collect = (value: string, before: string[]): string[] => [...before, value];

/** What was typed; an empty value takes back what was typed before. */
export const typedIn = (flags: Flags): TypedQso => {
  const typed: TypedQso = {};
  for (const { flag, name } of FLAGS) {
    const said = flags[flag] as string | undefined;
    if (said !== undefined) typed[name] = said === "" ? null : name === "freqHz" ? hertz(said) : said;
  }
  const fields = (flags.field as string[] | undefined) ?? [];
  if (fields.length > 0) typed.extra = Object.fromEntries(fields.map(nameAndValue));
  return typed;
};

/** What is no number goes on as it is, to be refused together with everything else. */
const hertz = (megahertz: string): number | string => frequencyTyped(megahertz) ?? megahertz;

const nameAndValue = (text: string): [string, string | null] => {
  const at = text.indexOf("=");
  if (at < 1) throw new AppError("invalid", `--field ${JSON.stringify(text)} is not NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1) || null];
};
