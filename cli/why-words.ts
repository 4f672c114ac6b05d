import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import { formatCount } from "../src/kernel/number-text.ts";
import { describeField, describeValue } from "../src/domain/jobs/job-words.ts";
import { formatUtc } from "../src/kernel/time-text.ts";
import type { Labels } from "../src/domain/jobs/source.ts";
import { describeRecordedSince, describeSpeaker } from "../src/domain/contact/why.ts";
import type { WhyDocument } from "../src/logbook/contract.ts";

/** The fields by origin: who gave them, and the job and day that brought them. */
export const formatWhy = ({ fields, entityRule, since }: WhyDocument, labels: Labels): string => {
  const names = new Map(fields.map(({ field }) => [field, describeField(field, labels)]));
  const width = Math.max(0, ...[...names.values()].map(({ length }) => length));
  const groups = Map.groupBy(fields, ({ by, jobId, at }) => {
    const job = jobId === null ? "" : `, job ${jobId}`;
    return `${describeSpeaker(by, labels)}${job}${at === null ? "" : `, ${formatUtc(at)} UTC`}`;
  });
  const lines = [...groups].flatMap(([origin, group]) => [
    `${origin}: ${formatCount(group.length, "field")}`,
    ...group.map(({ field, value }) => `  ${names.get(field)!.padEnd(width)}  ${describeValue(field, value)}`),
  ]);
  const entity = entityRule === null ? [] : [`Entity: ${entityRule}`];
  return stripControlCharacters([...lines, ...entity, describeRecordedSince(since)].join("\n"));
};
