import { forUser, insertMany, maybe, type Unit } from "./unit.ts";
import * as users from "./users.ts";

/** Whose log is asked about, what, and by which program: another one may count otherwise. */
interface Question {
  userId: number;
  question: string;
  program: string;
}

/** What was answered of the log as it is; undefined where nothing was, which no answer is. */
export function* find({ userId, question, program }: Question): Unit<unknown> {
  const row = yield* maybe<{ answer: string }>`
    SELECT answer FROM kept_answers JOIN users ON users.id = user_id
    WHERE user_id = ${userId} AND question = ${question} AND program = ${program}
      AND kept_answers.log_version = users.log_version`;
  return row === null ? undefined : JSON.parse(row.answer);
}

/** Keeps an answer, unless the log has changed since. */
export function* keep({ userId, question, program }: Question, version: number, answer: unknown): Unit<void> {
  yield* forUser(userId);
  if ((yield* users.logVersion(userId)) !== version) return;
  yield* insertMany(
    "kept_answers",
    ["user_id", "question", "log_version", "program", "answer"],
    [[userId, question, version, program, JSON.stringify(answer)]],
    `ON CONFLICT (user_id, question) DO UPDATE
     SET log_version = excluded.log_version, program = excluded.program, answer = excluded.answer`,
  );
}
