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

/** One user's log, here or on a server: every question of `QUESTIONS`, and everything that takes several requests. */
export interface Logbook extends Answers {
  /** Jobs started by this client run in this process and end with it. */
  readonly runsJobsHere: boolean;
  /** A file in chunks, made on demand: ADIF, unless another format is given. */
  exportAdif(parameters: ExportParameters & PastParameters): AsyncIterable<string>;
  /** Previews a bulk edit. */
  previewRepair(request: RepairRequest): Promise<{ preview: RepairPreview }>;
  /** Previews merging duplicates. */
  previewMerge(request: MergeRequest): Promise<{ preview: RepairPreview }>;
  startImport(input: AdifInput, options?: ImportOptions): Promise<JobDocument>;
  /** Resolves when a job that this client started has ended. */
  untilEnd(jobId: number, hear?: JobHearer): Promise<JobDocument>;
  /** Resolves when nothing that this client started is running in this process. */
  stop(): Promise<void>;
}

/** A client with one method per question, all answered by one function. */
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
