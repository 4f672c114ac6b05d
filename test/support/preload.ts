import { afterAll, afterEach } from "bun:test";
import fc from "fast-check";
import { cleanUp, cleanUpAtTheEnd } from "./cleanup.ts";

const { QSOLOG_TEST_SEED } = process.env;

// What is invented for a property is the same in every run, unless somebody looks for what no run has found yet.
if (QSOLOG_TEST_SEED !== "any") fc.configureGlobal({ seed: Number(QSOLOG_TEST_SEED ?? 73) });

afterEach(cleanUp);
afterAll(cleanUpAtTheEnd);
