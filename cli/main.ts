#!/usr/bin/env bun
import { getVersion, formatVersion } from "./version.ts";

/** Compile less at start: most code there runs only once. Afterwards the usual limits apply. */
const START = { reluctance: 30, ms: 300 };

Bun.unsafe.setJITPolicy(START.reluctance);
setTimeout(() => Bun.unsafe.setJITPolicy(1), START.ms).unref();

const words = process.argv.slice(2);
const [asked, ...more] = words.filter((word) => word !== "--json");

if ((asked === "--version" || asked === "-V") && more.length === 0) {
  console.log(words.length > 1 ? JSON.stringify(getVersion()) : formatVersion(getVersion()));
} else {
  const [{ run }, { createTerminal }] = await Promise.all([import("./cli.ts"), import("./terminal.ts")]);
  process.exitCode = await run(words, createTerminal(), process.env);
}
