import { describeAward, describeExample } from "../src/domain/jobs/preview-words.ts";
import { describeRepairCounts } from "../src/domain/jobs/repair-words.ts";
import { stripControlCharacters } from "../src/kernel/control-characters.ts";
import type { Labels } from "../src/domain/jobs/source.ts";
import type { RepairPreview } from "../src/sync/repair/preview.ts";

/** The preview of a bulk edit: counts, examples, and what awards would gain and lose. */
export const formatRepairPreview = (preview: RepairPreview, labels: Labels): string[] => [
  ...describeRepairCounts(preview),
  ...(preview.examples.length > 0 ? ["For example:"] : []),
  ...preview.examples.map((example) => stripControlCharacters(`  ${describeExample(example, labels)}`)),
  ...preview.awards.flatMap(describeAward).map((words) => stripControlCharacters(`  ${words}`)),
];
