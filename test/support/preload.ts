import { afterEach } from "bun:test";
import { cleanUp } from "./cleanup.ts";

afterEach(cleanUp);
