import type { LeftoverView } from "../src/logbook/contract.ts";

/** The record in short, or what could be seen of it. */
export const leftRecord = ({ record }: Pick<LeftoverView, "record">): string => {
  const { CALL = "?", QSO_DATE = "", TIME_ON = "", BAND = "", MODE = "", APP_QSOLOG_EXCERPT } = record;
  return APP_QSOLOG_EXCERPT ?? [CALL, QSO_DATE, TIME_ON, BAND, MODE].join(" ").trim();
};

/** Why nobody took it, and the contacts it may mean. */
export const leftBecause = ({ reason, candidates }: Pick<LeftoverView, "reason" | "candidates">): string => {
  const known = candidates.filter((id) => id > 0);
  return known.length === 0 ? reason : `${reason}; QSO ${known.join(", ")}`;
};
