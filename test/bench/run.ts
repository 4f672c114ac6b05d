// Runs the suites named, or all of them, each in a process of its own: bun run bench [--quick] [suite…]
import { join } from "node:path";

const SUITES = [
  "statistics",
  "awards",
  "disk",
  "memory",
  "sync",
  "adif",
  "server",
  "lists",
  "pages",
  "terminal",
  "scheduler",
  "rollback",
  "repairs",
  "engines",
  "instances",
  "flood",
  "feeds",
  "executable",
];

/** Take minutes: they run only where they are named, the first also with --soak. */
const SOAK = "soak";
const LONG = [SOAK, "growth"];

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith("--"));
const named = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...named.filter((name) => ![...SUITES, ...LONG].includes(name)),
  ...options.filter((option) => !/^--(quick|postgres|soak|minutes=\d+(\.\d+)?|contacts=\d+)$/.test(option)),
];

if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(", ")}. The suites: ${SUITES.join(", ")}; --quick makes them shorter, --soak adds minutes of use, --postgres measures lists and memory there.\nNamed only: growth [--contacts=N], many logs in one database.`,
  );
  process.exit(2);
}

let isOver = false;
const chosen = named.length > 0 ? named : SUITES;
for (const name of options.includes("--soak") ? [...chosen, SOAK] : chosen) {
  console.log(`\n${name}`);
  const run = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...options], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await run.exited) !== 0) isOver = true;
}
process.exit(isOver ? 1 : 0);
