import type {
  AdifInput,
  ExportParameters,
  ImportOptions,
  JobDocument,
  JobHearer,
  MergeRequest,
  PastParameters,
  RepairRequest,
} from "../../src/logbook/contract.ts";
import type { RepairPreview } from "../../src/sync/repair/preview.ts";
import type { AnswerOf, ArgumentsOf, Question, QUESTIONS } from "./questions.ts";

type Questions = typeof QUESTIONS;

type Answers = {
  [Name in keyof Questions]: Questions[Name] extends Question<infer Route>
    ? (...asked: ArgumentsOf<Route>) => Promise<AnswerOf<Route>>
    : never;
};

/** One user's log, here or on a server: every question of `QUESTIONS`, and what is more than one request. */
export interface Logbook extends Answers {
  /** Jobs that this client starts run in this process, and end with it. */
  readonly runsJobsHere: boolean;
  /** A file in pieces, each made when it is asked for: ADIF, unless another format is named. */
  exportAdif(parameters: ExportParameters & PastParameters): AsyncIterable<string>;
  /** What a bulk edit would do. */
  previewRepair(request: RepairRequest): Promise<{ preview: RepairPreview }>;
  /** What merging rows that are one contact would do. */
  previewMerge(request: MergeRequest): Promise<{ preview: RepairPreview }>;
  startImport(input: AdifInput, options?: ImportOptions): Promise<JobDocument>;
  /** Resolves at the end of a job that this client started. */
  untilEnd(jobId: number, hear?: JobHearer): Promise<JobDocument>;
  /** Resolves when nothing that this client started runs in this process any more. */
  stop(): Promise<void>;
}

/** A method for each question, all answered by one function. */
export const answeredBy = (
  questions: Questions,
  answer: (question: Question, asked: readonly unknown[]) => Promise<unknown>,
): Answers =>
  Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [
      name,
      (...asked: unknown[]) => answer(question as unknown as Question, asked),
    ]),
  ) as unknown as Answers;
