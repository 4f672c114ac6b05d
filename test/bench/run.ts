// Runs the suites named, or all of them, each in a process of its own: bun run bench [--quick] [suite…]
import { join } from "node:path";

const SUITES = ["statistics", "disk", "sync", "adif"];

const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith("--"));
const named = words.filter((word) => !word.startsWith("--"));
const unknown = [
  ...named.filter((name) => !SUITES.includes(name)),
  ...options.filter((option) => option !== "--quick"),
];

if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}. The suites: ${SUITES.join(", ")}; --quick makes them shorter.`);
  process.exit(2);
}

let isOver = false;
for (const name of named.length > 0 ? named : SUITES) {
  console.log(`\n${name}`);
  const run = Bun.spawn([process.execPath, join(import.meta.dir, `${name}.ts`), ...options], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await run.exited) !== 0) isOver = true;
}
process.exit(isOver ? 1 : 0);
