import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";

/** Answers as JSON by request, without what differs between two correct programs. */
export type Answers = Map<string, unknown>;

/** By group. */
export type Recording = Map<string, Answers>;

/** Takes half a minute on an idle machine. */
export const PATIENCE_MS = 1_800_000;

/** Set by the command that records again. */
const IS_RECORDING = process.env.QSOLOG_RECORD_ANSWERS !== undefined;

/** Longer answers are stored compressed, with their hash in the readable file. */
const MAX_READABLE_LENGTH = 6_000;
const MAX_DIFFERENCES = 8;
const MAX_CHARACTERS = 160;

/** Compares with the files of a folder and lists the differing fields for each request, or writes the files again. */
export const compareWithRecorded = (folder: string, actual: Recording): string[] => {
  const problems = problemsOf(folder, actual);
  if (!IS_RECORDING) return problems;
  for (const line of problems) console.log(line);
  writeRecording(folder, actual);
  return [];
};

/** Compares everything that does not depend on how a database numbers contacts inserted by one statement. */
export const compareWithoutNumbers = (folder: string, actual: Recording): string[] =>
  problemsOf(folder, actual, (answer) =>
    JSON.parse(JSON.stringify(answer, (name, value) => (NUMBERED.includes(name) ? 0 : value))),
  );

/** Contact ids, and texts that contain them. */
const NUMBERED = ["id", "qsoId", "lines"];

const problemsOf = (
  folder: string,
  actual: Recording,
  compared: (answer: unknown) => unknown = (answer) => answer,
): string[] => {
  const recorded = existsSync(folder) ? readRecording(folder) : new Map<string, Answers>();
  const comparable = (answers: Answers = new Map()): Answers =>
    new Map([...answers].map(([asked, answer]) => [asked, compared(answer)]));
  return [...actual].flatMap(([group, answers]) =>
    differencesOf(comparable(recorded.get(group)), comparable(answers)).map((line) => `${group}: ${line}`),
  );
};

const differencesOf = (recorded: Answers, actual: Answers): string[] =>
  [...new Set([...recorded.keys(), ...actual.keys()])].flatMap((asked) => {
    if (!actual.has(asked)) return [`${asked}: was not asked`];
    if (!recorded.has(asked)) return [`${asked}: is not recorded`];
    const found = [...differences(recorded.get(asked), actual.get(asked), "")];
    const more = found.length - MAX_DIFFERENCES;
    const shown = found.slice(0, MAX_DIFFERENCES).map((one) => `  ${one}`);
    return found.length === 0 ? [] : [[asked, ...shown, ...(more > 0 ? [`  and ${more} more`] : [])].join("\n")];
  });

/** The differing fields with both values. */
function* differences(recorded: unknown, actual: unknown, path: string): Generator<string> {
  if (isDeepStrictEqual(recorded, actual)) return;
  if (isObject(recorded) && isObject(actual) && Array.isArray(recorded) === Array.isArray(actual)) {
    for (const name of new Set([...Object.keys(recorded), ...Object.keys(actual)])) {
      yield* differences(recorded[name], actual[name], path === "" ? name : `${path}.${name}`);
    }
  } else yield `${path || "answer"}: ${shown(recorded)} is now ${shown(actual)}`;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "missing";
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
};

const HEADING = "## ";
const COMPRESSED = "long-answers.json.gz";

export const readRecording = (folder: string): Recording => {
  const long = JSON.parse(gunzipSync(readFileSync(join(folder, COMPRESSED))).toString()) as Record<string, unknown>;
  const files = readdirSync(folder).filter((file) => file.endsWith(".txt"));
  return new Map(
    files.map((file) => {
      const group = file.replace(".txt", "");
      const parts = readFileSync(join(folder, file), "utf8").split(`\n${HEADING}`).slice(1);
      const answers = parts.map((part): [string, unknown] => {
        const end = part.indexOf("\n");
        const asked = part.slice(0, end);
        return [asked, long[`${group} ${asked}`] ?? JSON.parse(part.slice(end))];
      });
      return [group, new Map(answers)];
    }),
  );
};

const writeRecording = (folder: string, recording: Recording): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const long: Record<string, unknown> = {};
  for (const [group, answers] of recording) {
    let text = `${answers.size} answers\n`;
    for (const [asked, answer] of answers) {
      const document = JSON.stringify(answer);
      const isLong = document.length > MAX_READABLE_LENGTH;
      if (isLong) long[`${group} ${asked}`] = answer;
      text += `\n${HEADING}${asked}\n${isLong ? JSON.stringify({ compressed: hashOf(document) }) : laidOut(answer)}\n`;
    }
    writeFileSync(join(folder, `${group}.txt`), text);
  }
  writeFileSync(join(folder, COMPRESSED), gzipSync(JSON.stringify(long), { level: 9 }));
};

const LINE = 118;

/** JSON with one line for each part that fits. */
const laidOut = (value: unknown, indent = ""): string => {
  const text = JSON.stringify(value);
  if (text.length + indent.length <= LINE || !isObject(value)) return text;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => laidOut(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${laidOut(item, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
};

export const hashOf = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
