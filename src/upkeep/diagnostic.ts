/** From all is well to something has to be done. */
export type Severity = "ok" | "note" | "warn" | "fail";

export interface Finding {
  check: string;
  severity: Severity;
  message: string;
  /** What to do about it, a command where there is one. */
  todo: string | null;
}

type Say = (message: string, todo?: string) => Finding;

/** The findings of one check, by how bad they are. */
export const findingsOf = (check: string): Record<Severity, Say> => {
  const saying =
    (severity: Severity): Say =>
    (message, todo) => ({ check, severity, message, todo: todo ?? null });
  return { ok: saying("ok"), note: saying("note"), warn: saying("warn"), fail: saying("fail") };
};

const NAMED = 5;

/** A few of many: "7, 8, 9 and 4 more". */
export const some = (names: readonly (string | number)[]): string => {
  const more = names.length - NAMED;
  const shown = names.slice(0, NAMED).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
};
