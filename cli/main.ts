#!/usr/bin/env bun
import { versionView, versionWords } from "./version.ts";

const words = process.argv.slice(2);
const [asked, ...more] = words.filter((word) => word !== "--json");

if ((asked === "--version" || asked === "-V") && more.length === 0) {
  console.log(words.length > 1 ? JSON.stringify(versionView()) : versionWords(versionView()));
} else {
  const [{ run }, { processTerminal }] = await Promise.all([import("./cli.ts"), import("./terminal.ts")]);
  process.exitCode = await run(words, processTerminal(), process.env);
}
