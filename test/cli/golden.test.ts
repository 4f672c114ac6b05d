import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { aGoldenWorld } from "./golden-world.ts";
import {
  expectTranscript,
  NARROW,
  performed,
  performedHere,
  PIPE,
  TERMINAL,
  type Order,
  type Stage,
} from "./transcript.ts";
import { commandTree } from "./program.ts";
import { leavesOf } from "../../cli/command-tree.ts";
import { isFull } from "../support/full.ts";

setDefaultTimeout(120_000);

const IS_FULL = isFull(import.meta);
const AT_ONCE = 3;

/** Read-only commands, each with a golden file. In the short form only the first one runs as a real process. */
const QUESTIONS: Record<string, readonly string[][]> = {
  jobs: [
    ["jobs", "list"],
    ["jobs", "--status", "failed"],
    ["jobs", "list", "--limit", "1"],
  ],
  "jobs-show": [
    ["jobs", "show", "2", "--diff", "--leftovers"],
    ["jobs", "show", "3"],
    ["jobs", "show", "99"],
  ],
  rollback: [
    ["rollback", "3", "--dry-run"],
    ["rollback", "2", "--dry-run"],
    ["rollback", "1", "--undo", "--dry-run"],
  ],
  repair: [
    ["repair", "--all", "--set", "qth=Nis", "--shift=-1:00", "--dry-run"],
    ["repair", "--filter", "call=K*", "--delete", "--dry-run"],
    ["repair", "--set", "qth=Nis"],
  ],
  reconcile: [
    ["reconcile"],
    ["reconcile", "show", "--class", "leftovers"],
    ["reconcile", "show", "--class", "notAtSecond"],
    ["reconcile", "settle", "1"],
    ["reconcile", "settle", "99", "--dismiss"],
  ],
  duplicates: [
    ["duplicates"],
    ["duplicates", "list", "--kind", "seconds"],
    ["duplicates", "merge", "--kind", "twice", "--dry-run"],
    ["duplicates", "merge", "1"],
  ],
  stats: [["stats"]],
  awards: [["awards"], ["awards", "dxcc"], ["awards", "was"], ["awards", "dxcc", "--band", "20m"], ["awards", "vucc"]],
  "awards-needed": [
    ["awards", "wac", "needed"],
    ["awards", "wpx", "needed"],
    ["awards", "waja"],
  ],
  need: [
    ["need", "K1AAA", "--band", "17m", "--mode", "CW"],
    ["need", "JA1ABC"],
    ["need", "K1AAA", "--band", "19m"],
  ],
  news: [
    ["news", "--since", "2026-07-01"],
    ["news", "--since", "2026-08-02"],
  ],
  "qso-list": [
    ["qso", "list"],
    ["qso", "list", "--call", "NOBODY"],
    ["qso", "list", "--limit", "2"],
  ],
  "qso-show": [
    ["qso", "show", "3"],
    ["qso", "show", "5"],
    ["qso", "show", "99"],
  ],
  "qso-export": [["qso", "export", "-", "--call", "K1AAA"]],
  service: [["service", "list"]],
  schedule: [["schedule"]],
  token: [["token", "list"]],
  user: [["user", "list"]],
  admin: [
    ["admin", "list"],
    ["admin", "check", "ann"],
    ["admin", "check", "bob"],
    ["admin", "check", "eve"],
  ],
  audit: [["audit"], ["audit", "--target", "nobody"]],
  country: [["country"], ["country", "show"]],
  db: [
    ["db", "path"],
    ["db", "status"],
  ],
  healthcheck: [["healthcheck", "--host", "127.0.0.1", "--port", "1"]],
  help: [["qso", "list", "--help"], ["jobs"], ["help", "sync"], ["synk"], ["stats", "--usr", "bob"], ["awards", "dxc"]],
};

/** A session at the command line, in order. */
const SESSION: readonly Order[] = [
  { words: ["user", "create", "Eve", "--callsign", "yu1eve", "--password-stdin"], stdin: "correct horse battery" },
  { words: ["user", "create", "eve", "--password-stdin"], stdin: "correct horse battery" },
  { words: ["admin", "create", "tom", "--password-stdin"], stdin: "short" },
  { words: ["admin", "create", "tom", "--password-stdin"], stdin: "correct horse battery" },
  { words: ["admin", "promote", "eve"] },
  { words: ["admin", "demote", "eve"] },
  { words: ["admin", "demote", "eve"] },
  { words: ["user", "password", "eve", "--password-stdin"], stdin: "another horse battery" },
  { words: ["user", "invite", "zoe", "--callsign", "yu1zoe"] },
  { words: ["user", "reset", "eve"] },
  { words: ["user", "reset-factor", "eve"] },
  { words: ["account", "factors", "--user", "eve"] },
  { words: ["account", "add-factor", "--user", "eve"] },
  { words: ["account", "events", "--user", "eve"] },
  { words: ["user", "delete", "zoe", "--yes"] },
  { words: ["user", "delete", "eve"] },
  { words: ["user", "delete", "eve", "--yes"] },
  { words: ["token", "create", "wall", "--scope", "read"] },
  { words: ["token", "revoke", "2"] },
  { words: ["token", "revoke", "2"] },
  { words: ["service", "test", "first"] },
  { words: ["service", "set", "first", "--username", "yu1test", "--stdin"], stdin: "wrong" },
  { words: ["service", "test", "first"] },
  { words: ["service", "clear", "first"] },
  { words: ["notify", "list"] },
  {
    words: ["notify", "add", "webhook", "--events", "new_worked,leftovers", "--stdin"],
    stdin: "https://hooks.example.org/secret",
  },
  { words: ["notify", "change", "1", "--events", "sync_failed"] },
  { words: ["notify", "list"] },
  { words: ["notify", "test", "2"] },
  { words: ["notify", "remove", "1"] },
  { words: ["schedule", "set", "second", "--every", "48h"] },
  { words: ["schedule", "set", "second", "--off"] },
  { words: ["sync", "second", "--dry-run"] },
  { words: ["sync", "all"] },
  { words: ["sync", "first"] },
  { words: ["qso", "add", "OE3ÄÖÜ", "--band", "20m", "--mode", "FT8", "--time", "2026-07-26 12:00"] },
  { words: ["qso", "add", "OE3ABC", "--band", "20m", "--mode", "FT8", "--time", "2026-07-26 12:00", "--name", "Jürg"] },
  { words: ["qso", "edit", "6", "--name", "", "--grid", "JN88"] },
  { words: ["qso", "edit", "6", "--grid", "ZZ99ZZ99"] },
  { words: ["qso", "delete", "6"] },
  { words: ["qso", "delete", "6", "--yes"] },
  { words: ["qso", "import", "more.adi", "--dry-run"] },
  { words: ["qso", "import", "more.adi"] },
  { words: ["qso", "import", "nowhere.adi"] },
  { words: ["qso", "export", "out.adi", "--band", "10m"] },
  { words: ["qso", "export", "out.adi"] },
  { words: ["jobs", "stop", "3"] },
  { words: ["jobs", "dismiss", "1"] },
  { words: ["jobs", "dismiss", "1"] },
  { words: ["rollback", "3"] },
  { words: ["rollback", "3", "--yes"] },
  { words: ["rollback", "3", "--yes"] },
  { words: ["country", "update", "more.adi"] },
  { words: ["db", "backup", "copy.db"] },
  { words: ["db", "backup", "copy.db"] },
  { words: ["db", "rollback", "0001_base", "--yes"] },
  { words: ["db", "migrate"] },
  { words: ["db", "move", "--to", "elsewhere.db"] },
  { words: ["db", "adopt"] },
  { words: ["db", "adopt", "--yes"] },
  { words: ["db", "derive"] },
  { words: ["db", "prune", "--older-than", "100y", "--dry-run"] },
  { words: ["db", "prune", "--older-than", "soon"] },
  { words: ["db", "restore", "copy.db"] },
  { words: ["db", "restore", "copy.db", "--yes"] },
  { words: ["db", "restore", "more.adi", "--yes"] },
  { words: ["login", "http://log.example.org", "--user", "bob", "--password-stdin"], stdin: "secret" },
  { words: ["logout"] },
  { words: ["audit", "--admin", "operator", "--limit", "4"] },
];

/** A wide terminal mostly looks like a pipe, so it is only tested in the long form. */
const STAGES: Record<string, Stage> = { pipe: PIPE, narrow: NARROW, ...(IS_FULL ? { terminal: TERMINAL } : {}) };

test("each read-only command prints its golden output, in a pipe and on terminals", async () => {
  const line = await aGoldenWorld();
  const wanted = Object.keys(STAGES).flatMap((stage) => Object.keys(QUESTIONS).map((name) => [stage, name] as const));
  const texts = new Map<string, string>();

  await atOnce(wanted, async ([stage, name]) => {
    const parts: string[] = [];
    for (const [index, words] of QUESTIONS[name]!.entries()) {
      const isReal = IS_FULL || (stage === "pipe" && index === 0);
      const said = isReal ? performed(line, { words }, STAGES[stage]!) : performedHere(line, words, STAGES[stage]!);
      parts.push(await said);
    }
    texts.set(`${stage}/${name}`, parts.join("\n"));
  });

  for (const [name, text] of texts) expectTranscript(name, text);
});

/** Runs a limited number in parallel. */
const atOnce = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const waiting = [...all];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) await work(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

test("a session at the command line prints its golden output", async () => {
  const line = await aGoldenWorld();
  const parts: string[] = [];

  for (const order of SESSION) parts.push(await performed(line, order, PIPE));

  expectTranscript("session", parts.join("\n"));
});

test("prompts appear on a terminal and accept answers", async () => {
  const line = await aGoldenWorld();
  const orders: Order[] = [
    {
      words: ["user", "create", "eve"],
      typed: [
        ["Password for eve: ", "correct horse battery\r"],
        ["Repeat it: ", "correct horse battery\r"],
      ],
    },
    { words: ["user", "delete", "eve"], typed: [["continue: ", "evil\r"]] },
    { words: ["user", "delete", "eve"], typed: [["continue: ", "EVE\r"]] },
    { words: ["service", "set", "second"], typed: [["API key: ", "secret\r"]] },
    { words: ["qso", "delete", "3"], typed: [["continue: ", "\x03"]] },
    { words: ["rollback", "3"], typed: [["yes: ", "yes\r"]] },
  ];
  const parts: string[] = [];

  for (const order of orders) parts.push(await performed(line, order, NARROW));

  expectTranscript("prompts", parts.join("\n"));
});

const PLAIN: readonly Stage[] = [
  { ...TERMINAL, title: "NO_COLOR", env: { NO_COLOR: "1" } },
  { ...TERMINAL, title: "TERM=dumb", env: { TERM: "dumb" } },
];
const WITHOUT_LETTERS: readonly Stage[] = [
  { ...TERMINAL, title: "LC_ALL=C", env: { LC_ALL: "C" } },
  { ...TERMINAL, title: "LANG=broken", env: { LANG: "broken" } },
  { ...TERMINAL, title: "no locale", env: { LANG: "" } },
];
const SAMPLE: readonly string[][] = [
  ["awards", "dxcc"],
  ["qso", "list"],
  ["jobs", "show", "3"],
];

test("without colours and symbols, everything else stays the same", async () => {
  const line = await aGoldenWorld();
  const orders = IS_FULL ? Object.values(QUESTIONS).map(([first]) => first!) : SAMPLE;

  await atOnce(orders, async (words) => {
    const coloured = await performed(line, { words }, TERMINAL);
    const plain = coloured.replace(/␛\[[0-9;]*m/g, "");
    for (const stage of PLAIN)
      expect([stage.title, await performed(line, { words }, stage)]).toEqual([stage.title, plain]);
    const [c, ...others] = await Promise.all(WITHOUT_LETTERS.map((stage) => performed(line, { words }, stage)));
    expect(c!.replaceAll("␛", "")).toMatch(/^[\x20-\x7e\n]*$/);
    expect(others).toEqual([c!, c!]);
  });
});

test("with --json each answer is one document, in every locale", async () => {
  const line = await aGoldenWorld();
  const orders = IS_FULL ? Object.values(QUESTIONS).flat() : SAMPLE;
  const questions = orders.filter((words) => !words.some((word) => ["help", "--help", "export"].includes(word)));

  await atOnce(questions, async (words) => {
    const asked = [...words, "--json"];
    const [, ...piped] = (await performed(line, { words: asked }, PIPE)).split("\n");
    const [, ...narrow] = (await performed(line, { words: asked }, NARROW)).split("\n");
    const documents = (lines: string[]) =>
      lines
        .map((text) => text.replace(/^2> /, ""))
        .filter((text) => text.startsWith("{"))
        .map((text) => JSON.parse(text));

    expect(documents(narrow)).toEqual(documents(piped));
    expect([words, documents(piped).length]).toEqual([words, 1]);
  });
});

/** Commands that run until they are stopped, and those whose own tests run the real program. */
const ELSEWHERE = ["serve", "demo", "tui", "config", "completion", "man", "doctor", "listen", "logs"];

test("every command was run by the real program", async () => {
  const asked = readdirSync(join(import.meta.dir, "golden"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".txt"))
    .flatMap((file) => readFileSync(join(import.meta.dir, "golden", file), "utf8").split("\n"))
    .filter((text) => text.startsWith("$ "));
  const unasked = leavesOf(await commandTree())
    .map(({ words }) => words.join(" "))
    .filter((words) => !ELSEWHERE.includes(words) && !asked.some((text) => text.startsWith(`$ qsolog ${words}`)));

  expect(unasked).toEqual([]);
});
