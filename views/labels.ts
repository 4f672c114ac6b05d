import type { Source } from "../src/domain/source.ts";

/** What people call each source. */
export type Labels = Record<Source, string>;
