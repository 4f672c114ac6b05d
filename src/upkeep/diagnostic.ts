/** In order of severity. */
export type Severity = "ok" | "note" | "warn" | "fail";

export interface Finding {
  check: string;
  severity: Severity;
  message: string;
  /** What to do about it, as a command if possible. */
  todo: string | null;
}

type Say = (message: string, todo?: string) => Finding;

/** Functions that make findings of a check, by severity. */
export const createFindings = (check: string): Record<Severity, Say> => {
  const saying =
    (severity: Severity): Say =>
    (message, todo) => ({ check, severity, message, todo: todo ?? null });
  return { ok: saying("ok"), note: saying("note"), warn: saying("warn"), fail: saying("fail") };
};

const NAMED = 5;

/** The first of many: "7, 8, 9 and 4 more". */
export const listSome = (names: readonly (string | number)[]): string => {
  const more = names.length - NAMED;
  const shown = names.slice(0, NAMED).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
};
