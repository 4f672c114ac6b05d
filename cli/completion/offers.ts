import { STATE_WORDS } from "../../src/domain/jobs/job-words.ts";
import { LABELS } from "../../src/domain/origins/labels.ts";
import { formatUtc } from "../../src/kernel/time-text.ts";
import { SYSTEM_TIME } from "../../src/kernel/time.ts";
import type { Config } from "../../src/config.ts";
import type { World } from "../../src/world.ts";
import type { CommandNode, Flag } from "../command-tree.ts";
import { getValues, type Values } from "../values.ts";

/** What Tab can complete: words, each with its meaning after a tab, or names of files. */
interface Offers {
  kind: "words" | "files" | "directories";
  words: string[];
}

/** What can follow the words of a command line. `begun` is the word at the cursor. */
export const listOffers = async (
  program: CommandNode,
  words: readonly string[],
  begun: string,
  config: Config,
): Promise<Offers> => {
  const { node, flag, nth } = findPosition(program, words);
  if (flag) return offerValues(getValues(flag.value!), begun, config);
  const { flags, places } = node.standard ?? node;
  if (begun.startsWith("-")) {
    const [, name = "", value = ""] = /^(--[^=]+=)(.*)$/.exec(begun) ?? [];
    const given = flags.find((one) => `${one.name}=` === name);
    if (!given)
      return offerWords([...flags.map((one) => offer(one.name, one.meaning)), offer("--help", "show the help")]);
    const { kind, words } = await offerValues(getValues(given.value ?? ""), value, config);
    return { kind, words: words.map((word) => name + word) };
  }
  const commands = nth > 0 ? [] : node.commands.map((one) => offer(one.words.at(-1)!, one.summary));
  if (nth === 0 && node === program) commands.push(offer("help", "show the help of a command"));
  const values = places[nth] ? await offerValues(getValues(places[nth].name), begun, config) : offerWords([]);
  return values.kind === "words" ? offerWords([...commands, ...values.words]) : values;
};

interface Position {
  node: CommandNode;
  /** Its value comes next. */
  flag: Flag | null;
  /** The number of arguments before the cursor. */
  nth: number;
}

const findPosition = (program: CommandNode, words: readonly string[]): Position => {
  const place: Position = { node: program, flag: null, nth: 0 };
  for (const word of words) {
    const { node } = place;
    const flags = (node.standard ?? node).flags;
    const next = node.commands.find((one) => one.words.at(-1) === word);
    if (place.flag) place.flag = null;
    else if (word.startsWith("-") && word !== "-")
      place.flag = flags.find(({ name, value }) => name === word && value !== null) ?? null;
    else if (next) Object.assign(place, { node: next, nth: 0 });
    else if (node !== program || word !== "help") place.nth += 1;
  }
  return place;
};

const offerValues = async (values: Values, begun: string, config: Config): Promise<Offers> => {
  switch (values.kind) {
    case "file":
      return { kind: "files", words: [] };
    case "directory":
      return { kind: "directories", words: [] };
    case "username":
    case "job":
      return offerWords(await listKnown(config, KNOWN[values.kind]));
    case "words": {
      // Several values with commas between them: keep those before the last comma.
      const front = values.many ? begun.slice(0, begun.lastIndexOf(",") + 1) : "";
      return offerWords(values.words.map((word) => front + word));
    }
    case "text":
      return offerWords([]);
  }
};

const offer = (word: string, meaning: string): string => `${word}\t${meaning}`;

const offerWords = (words: string[]): Offers => ({ kind: "words", words });

const KNOWN: Record<"username" | "job", (db: World["db"]) => Promise<string[]>> = {
  async username(db) {
    const { listUsernames } = await import("../../src/upkeep/database.ts");
    return listUsernames(db);
  },
  async job(db) {
    const { listNewestJobs } = await import("../../src/upkeep/database.ts");
    return (await listNewestJobs(db)).map(({ id, source, status, createdAt }) =>
      offer(String(id), `${LABELS[source]} ${STATE_WORDS[status]} ${formatUtc(createdAt)}`),
    );
  },
};

/** Pressing Tab never creates or migrates a database, and never prints an error. */
const listKnown = async (config: Config, list: (db: World["db"]) => Promise<string[]>): Promise<string[]> => {
  const { databaseExists } = await import("../../src/world.ts");
  if (!databaseExists(config)) return [];
  const { withDatabase } = await import("../../src/upkeep/database.ts");
  return withDatabase(config, { time: SYSTEM_TIME }, list).catch(() => []);
};
