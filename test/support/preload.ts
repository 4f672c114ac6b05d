import { afterEach, setDefaultTimeout } from "bun:test";
import { cleanUp } from "./cleanup.ts";

setDefaultTimeout(30_000);
afterEach(cleanUp);
