import type { Labels } from "../domain/source.ts";

/** What people call each source. */
export const LABELS: Labels = { first: "LoTW", second: "QRZ", file: "File" };
