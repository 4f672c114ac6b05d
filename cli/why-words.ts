import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { fieldInWords, valueInWords } from "../src/domain/jobs/job-words.ts";
import { utc } from "../src/kernel/time-text.ts";
import type { Labels } from "../src/domain/jobs/source.ts";
import { recordsInWords, speakerInWords } from "../src/domain/contact/why.ts";
import type { WhyDocument } from "../src/logbook/contract.ts";

/** Each field with its origin, and the job and day that brought it. */
export const whyInWords = ({ fields, since }: WhyDocument, labels: Labels): string => {
  const names = fields.map(({ field }) => fieldInWords(field, labels));
  const width = Math.max(0, ...names.map(({ length }) => length));
  const lines = fields.map(({ field, value, by, jobId, at }, index) => {
    const day = at === null ? "" : ` of ${utc(at)} UTC`;
    const brought = jobId === null ? day : `, job ${jobId}${day}`;
    return `${names[index]!.padEnd(width)}  ${valueInWords(field, value)} (${speakerInWords(by, labels)}${brought})`;
  });
  return stripControlCharacters([...lines, recordsInWords(since)].join("\n"));
};
