import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { describeField, describeValue } from "../src/domain/jobs/job-words.ts";
import { formatUtc } from "../src/kernel/time-text.ts";
import type { Labels } from "../src/domain/jobs/source.ts";
import { describeRecordedSince, describeSpeaker } from "../src/domain/contact/why.ts";
import type { WhyDocument } from "../src/logbook/contract.ts";

/** Each field with its origin, and the job and day that brought it. */
export const formatWhy = ({ fields, since }: WhyDocument, labels: Labels): string => {
  const names = fields.map(({ field }) => describeField(field, labels));
  const width = Math.max(0, ...names.map(({ length }) => length));
  const lines = fields.map(({ field, value, by, jobId, at }, index) => {
    const day = at === null ? "" : ` of ${formatUtc(at)} UTC`;
    const brought = jobId === null ? day : `, job ${jobId}${day}`;
    return `${names[index]!.padEnd(width)}  ${describeValue(field, value)} (${describeSpeaker(by, labels)}${brought})`;
  });
  return stripControlCharacters([...lines, describeRecordedSince(since)].join("\n"));
};
