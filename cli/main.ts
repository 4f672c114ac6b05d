#!/usr/bin/env bun
import { version } from "../package.json";

const words = process.argv.slice(2);

if (words.length === 1 && (words[0] === "--version" || words[0] === "-V")) {
  console.log(version);
} else {
  const [{ run }, { processTerminal }] = await Promise.all([import("./cli.ts"), import("./terminal.ts")]);
  process.exitCode = await run(words, processTerminal(), process.env);
}
