// Writes the reference pages in docs/ that follow from declarations: bun run docs
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "typebox";
import { leavesOf, type CommandNode } from "../../cli/command-tree.ts";
import { GROUPS } from "../../cli/groups.ts";
import { environmentName, SETTINGS, type Setting } from "../../src/config.ts";
import { API_GROUPS } from "../../src/server/api-routes.ts";
import { descriptionOf } from "../../src/server/http/openapi.ts";
import { getSuccessStatus, type Route } from "../../src/server/http/route.ts";
import { LOG_EVENTS } from "../../src/kernel/log-events.ts";
import { MIGRATIONS, type Migration } from "../../src/storage/engine/migrations.ts";
import { commandTree } from "../cli/program.ts";
import { formatMarkdown } from "./markdown.ts";

const ROOT = join(import.meta.dir, "../..");
const WIDTH = 112;
const NOTE = "<!-- Written by `bun run docs` from the program. Do not edit. -->";

type Shape = TSchema & Record<string, any>;

/** The fields of an object, by name: optional ones with a question mark. */
const fieldsIn = ({ properties, required = [] }: Shape, indent: string, shapes: Map<string, Shape>): string[] =>
  Object.entries(properties as Record<string, Shape>).map(
    ([name, shape]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(shape, `${indent}  `, shapes)}`,
  );

const objectOf = (fields: readonly string[], indent: string): string => {
  const inLine = `{ ${fields.join("; ")} }`;
  if (!inLine.includes("\n") && indent.length + inLine.length < WIDTH) return inLine;
  return `{\n${fields.map((field) => `${indent}  ${field};\n`).join("")}${indent}}`;
};

/** A schema as a type. A shape with a title is described at the end of the page. */
const typeOf = (shape: Shape, indent: string, shapes: Map<string, Shape>): string => {
  const { title, documentedAs, anyOf, const: only, type, items, properties, patternProperties } = shape;
  if (documentedAs) return typeOf(documentedAs, indent, shapes);
  if (typeof title === "string") {
    shapes.set(title, shape);
    return title;
  }
  if (shape.enum) return shape.enum.map((value: unknown) => JSON.stringify(value)).join(" | ");
  if (only !== undefined) return JSON.stringify(only);
  if (anyOf) return anyOf.map((one: Shape) => typeOf(one, indent, shapes)).join(" | ");
  if (type === "array") {
    const item = typeOf(items, indent, shapes);
    return item.includes(" | ") && !item.startsWith("{") ? `(${item})[]` : `${item}[]`;
  }
  if (patternProperties) {
    return `{ [name: string]: ${typeOf(Object.values(patternProperties)[0] as Shape, indent, shapes)} }`;
  }
  if (properties) return objectOf(fieldsIn(shape, indent, shapes), indent);
  return type === "integer" || type === "number" || typeof type === "string" ? type : "unknown";
};

const routeText = ({ spec }: Route, shapes: Map<string, Shape>): string => {
  const line = (name: string, schema: TSchema | undefined) =>
    schema ? [`${name}: ${typeOf(schema as Shape, "", shapes)}`] : [];
  const { answer, files } = spec;
  const lines = [
    ...line("path", spec.params),
    ...line("query", spec.query),
    ...line("body", spec.body),
    ...(spec.rawBody ? ["body: the file"] : []),
    ...line("200", spec.preview),
    ...line(String(getSuccessStatus(spec)), answer),
    ...(files ? [`${getSuccessStatus(spec)}: ${files.join(", ")}`] : []),
    ...(answer || files ? [] : [`${getSuccessStatus(spec)}: no content`]),
  ];
  return `### ${spec.summary}

\`${spec.method} ${spec.path}\` · \`${spec.name}\`

${descriptionOf(spec)}

\`\`\`text
${lines.join("\n")}
\`\`\`
`;
};

const apiPage = (): string => {
  const shapes = new Map<string, Shape>();
  const chapters = Object.entries(API_GROUPS).map(
    ([tag, routes]) => `## ${tag}\n\n${routes.map((route) => routeText(route, shapes)).join("\n")}`,
  );
  const described: string[] = [];
  for (const [name, shape] of shapes) {
    described.push(`### ${name}\n\n\`\`\`text\n${objectOf(fieldsIn(shape, "", shapes), "")}\n\`\`\`\n`);
  }
  return `${NOTE}

# API reference

Every route of a server, with the name that the OpenAPI document at \`/openapi/json\` gives it. Rules that apply to all of
them, and what values mean, are in [CONTRACT.md](CONTRACT.md#http).

- Times are epoch milliseconds, in UTC. \`name?\` can be left out.
- A confirmation is recent for ten minutes after a sign-in or
  [another confirmation](#confirm-your-identity-again).
- A refusal has the shape [Error](CONTRACT.md#errors).

${chapters.join("\n")}
## Shapes

${described.join("\n")}`;
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

const settingRow = (setting: Setting): string => {
  const { fallback, accepts, standard, secret, notInFile, meaning } = setting;
  const value = standard ?? fallback("<data>");
  const shown = standard ?? (value === null || String(value) === "" ? "none" : `\`${String(value)}\``);
  const isFlag = setting.notInFile ? setting.name === "dataDir" : !secret;
  return `| \`${environmentName(setting)}\` | ${shown} | ${cell(accepts)} | ${isFlag ? "yes" : "no"} | ${notInFile ? "no" : "yes"} | ${cell(meaning)} |`;
};

const settingsTable = (): string =>
  [
    "| environment | default | accepts | flag | file | meaning |",
    "|---|---|---|---|---|---|",
    ...SETTINGS.map(settingRow),
  ].join("\n");

const commandText = ({ words, summary, places, flags, examples }: CommandNode): string => {
  const named = places.map(({ name, isOptional }) => (isOptional ? `[${name}]` : `<${name}>`));
  const options = flags
    .filter(({ name }) => !EVERYWHERE.includes(name))
    .map(({ name, short, value, meaning, standard }) => {
      const names = `${short ? `${short}, ` : ""}${name}${value ? ` <${value}>` : ""}`;
      return `| \`${cell(names)}\` | ${cell(meaning)}${standard ? ` (default: \`${standard}\`)` : ""} |`;
    });
  return `## ${words.join(" ")}

\`qsolog ${[...words, ...named].join(" ")}\`: ${summary}.

${options.length > 0 ? `| option | meaning |\n|---|---|\n${options.join("\n")}\n\n` : ""}${
    examples.length > 0 ? `\`\`\`sh\n${examples.join("\n")}\n\`\`\`\n` : ""
  }`;
};

/** Options that every command has, and those that every command has that can use a server. */
const EVERYWHERE: readonly string[] = ["--json", "--data-dir", "--database-url", "--server", "--insecure"];

const commandRow = ({ words, summary }: CommandNode): string => {
  const canAskServer = GROUPS.some(({ name, isRemote }) => name === words[0] && isRemote);
  return `| [${words.join(" ")}](#${words.join("-")}) | ${summary} | ${canAskServer ? "yes" : ""} |`;
};

const commandsPage = async (): Promise<string> => {
  const commands = leavesOf(await commandTree());
  return `${NOTE}

# Command reference

Every command with its options, as \`qsolog COMMAND --help\` shows them. [commands.md](commands.md) says what all of
them have in common. Every command takes \`--json\`, \`--data-dir\` and \`--database-url\`; commands that can use a server take \`--server\` and
\`--insecure\`.

| command | does | can ask a server |
|---|---|---|
${commands.map(commandRow).join("\n")}

${commands.map(commandText).join("\n")}`;
};

/** The first comment of a migration says what it is for. */
const migrationRow = ({ name, up }: Migration): string => {
  const [purpose] = up.split("\n\n") as [string];
  const made = up.matchAll(/^CREATE TABLE (\w+)|^ALTER TABLE (\w+) ADD COLUMN (\w+)/gm);
  const names = [...made].map(([, table, changed, column]) => `\`${table ?? `${changed}.${column}`}\``);
  return `| \`${name}\` | ${names.join(", ")} | ${cell(purpose.replaceAll(/^-- /gm, "").replaceAll("\n", " "))} |`;
};

const migrationsTable = (): string =>
  ["| migration | tables and columns | purpose |", "|---|---|---|", ...MIGRATIONS.map(migrationRow)].join("\n");

/** A page that is written by hand, with a table between two comments. */
const pageWithTable = (file: string, subject: string, source: string, table: string): string => {
  const begin = `<!-- ${subject}: written by \`bun run docs\` from ${source} -->`;
  const end = `<!-- end of ${subject} -->`;
  const text = readFileSync(join(ROOT, file), "utf8");
  const [before, rest] = text.split(begin) as [string, string];
  return `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1]}`;
};

const logPage = (): string => `${NOTE}

# Log events

Every event of the log file, with its level and fields. A line also has \`at\`, \`level\` and \`event\`, as the
[contract](CONTRACT.md#log-file) says. Times that something took are in milliseconds. \`user\`, \`job\`, \`notice\` and
\`target\` are ids, \`error\` is \`{message,stack}\`.

| event | level | fields | meaning |
|---|---|---|---|
${Object.entries(LOG_EVENTS)
  .map(([event, { levels, fields, meaning }]) => {
    const names = fields.map((field) => `\`${field}\``).join(", ");
    return `| \`${event}\` | ${levels.join(", ")} | ${names} | ${cell(meaning)} |`;
  })
  .join("\n")}
`;

/** Each page with the text that it must have. */
export const referencePages = async (): Promise<Record<string, string>> => {
  const pages: Record<string, string> = {
    "docs/api.md": apiPage(),
    "docs/command-reference.md": await commandsPage(),
    "docs/log-events.md": logPage(),
    "docs/configuration.md": pageWithTable("docs/configuration.md", "settings", "src/config.ts", settingsTable()),
    "docs/database.md": pageWithTable("docs/database.md", "migrations", "migrations/", migrationsTable()),
  };
  return Object.fromEntries(Object.entries(pages).map(([file, text]) => [file, formatMarkdown(text, file)]));
};

if (import.meta.main) {
  for (const [file, text] of Object.entries(await referencePages())) writeFileSync(join(ROOT, file), text);
}
