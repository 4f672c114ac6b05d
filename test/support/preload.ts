import { afterAll, afterEach } from "bun:test";
import fc from "fast-check";
import { cleanUp, cleanUpAtTheEnd } from "./cleanup.ts";

const { QSOLOG_TEST_SEED } = process.env;

// Property tests use the same random values in every run, unless new cases are wanted.
if (QSOLOG_TEST_SEED !== "any") fc.configureGlobal({ seed: Number(QSOLOG_TEST_SEED ?? 73) });

// Elysia asks for a collection whenever it makes a server. Tests make hundreds of servers in a process with a large heap.
const collect = Bun.gc;
Bun.gc = (isWanted) => (isWanted ? collect(true) : 0);

/** A server that still answers a page takes seconds to stop on a busy machine. */
const CLEAN_UP_MS = 60_000;

afterEach(cleanUp, CLEAN_UP_MS);
afterAll(cleanUpAtTheEnd, CLEAN_UP_MS);
