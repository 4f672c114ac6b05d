import { Option, type Command } from "commander";
import { AppError } from "../src/kernel/errors.ts";
import { FIELDS, listFieldsWith } from "../src/domain/contact/fields.ts";
import { parseTypedFrequency } from "../src/domain/radio/band.ts";
import type { TypedQso } from "../src/contacts/fields.ts";
import type { Flags } from "./shell.ts";

interface TypedFlag {
  /** Commander's name of the option. */
  flag: string;
  option: string;
  /** The API's name of the field. */
  name: string;
  meaning: string;
}

const FLAGS: readonly TypedFlag[] = listFieldsWith("option").map((name) => {
  const [option, meaning] = FIELDS[name].option;
  return { flag: new Option(option).attributeName(), option, name, meaning };
});

/** Adds the options for the fields of a contact. */
export const addTypedFlags = (command: Command): Command => {
  for (const { option, meaning } of FLAGS) command.option(option, meaning);
  return command.option("--field <name=value>", "any other ADIF field; can be repeated", collect, []);
};

const collect = (value: string, before: string[]): string[] => [...before, value];

/** The typed values; an empty value removes an earlier typed one. */
export const readTypedFlags = (flags: Flags): TypedQso => {
  const typed: TypedQso = {};
  for (const { flag, name } of FLAGS) {
    const said = flags[flag] as string | undefined;
    if (said !== undefined) typed[name] = said === "" ? null : name === "freqHz" ? parseHertz(said) : said;
  }
  const fields = (flags.field as string[] | undefined) ?? [];
  if (fields.length > 0) typed.extra = Object.fromEntries(fields.map(nameAndValue));
  return typed;
};

/** Invalid numbers are passed on, so that all problems are reported together. */
const parseHertz = (megahertz: string): number | string => parseTypedFrequency(megahertz) ?? megahertz;

const nameAndValue = (text: string): [string, string | null] => {
  const at = text.indexOf("=");
  if (at < 1) throw new AppError("invalid", `--field ${JSON.stringify(text)} is not NAME=VALUE.`);
  return [text.slice(0, at), text.slice(at + 1) || null];
};
