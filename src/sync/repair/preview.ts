import { AwardsAfter, type AwardDifference } from "../../awards/difference.ts";
import type { CallFacts } from "../../domain/radio/call-facts.ts";
import { parseFilter } from "../../domain/contact/qso-filter.ts";
import type { Repair, RepairChoice, RepairCounts } from "../../domain/jobs/repair.ts";
import { definePreview } from "../../storage/engine/database.ts";
import { takeStep } from "../../storage/log/page-bytes.ts";
import * as qsoList from "../../storage/log/qso-list.ts";
import { toSnapshot } from "../../storage/log/qsos.ts";
import { tellProgress, type Unit } from "../../storage/engine/unit.ts";
import { cutLongTexts } from "../../kernel/text.ts";
import { computeDiff, type FieldDiff } from "../undo/diff.ts";
import { Outcomes, type Outcome } from "./outcome.ts";
import { computeOutcomes, listNamed, type Target } from "./slice.ts";
import { withCallFacts } from "../../callsign/facts.ts";

/** A contact that a bulk edit would change, field by field. */
export interface Example {
  qsoId: number;
  call: string;
  startedAt: number;
  kind: "updated" | "deleted";
  diff: FieldDiff[];
}

export interface RepairPreview extends RepairCounts {
  examples: Example[];
  awards: AwardDifference[];
}

export interface PreviewOrder {
  userId: number;
  repair: Repair;
  now: number;
  dataDir: string;
}

const EXAMPLES = 10;
const AT_ONCE = 500;
/** Contacts per scan. Finding the next target reads the log. */
const IDS_PER_SCAN = 50_000;

/** Previews a bulk edit: makes the same decisions on one snapshot and writes nothing. */
function* preview({ userId, repair, now }: PreviewOrder, facts: CallFacts): Unit<RepairPreview> {
  const counts: RepairCounts = { chosen: 0, changed: 0, deleted: 0, unchanged: 0, refused: [] };
  const examples: Example[] = [];
  const touched = new Set<number>();
  const awards = yield* AwardsAfter.of(userId);
  const { choice } = repair;
  const total = yield* countTargets(userId, choice);
  for (
    let targets = yield* nextTargets(userId, choice);
    targets.length > 0;
    targets = yield* nextTargets(userId, choice, targets.at(-1))
  ) {
    for (let start = 0; start < targets.length;) {
      const outcomes = new Outcomes(facts, now);
      const step = yield* takeStep(targets.slice(start, start + AT_ONCE));
      start += step.length;
      yield* computeOutcomes(userId, repair, step, outcomes);
      count(counts, outcomes.counts);
      yield* tellProgress(Math.min(1, counts.chosen / total));
      for (const outcome of outcomes.all) {
        touched.add(outcome.before.id);
        if (outcome.after) awards.add(outcome.after);
        if (examples.length < EXAMPLES) examples.push(toExample(outcome));
      }
    }
  }
  return { ...counts, examples, awards: yield* awards.differences(touched) };
}

export const previewRepairWork = definePreview("repair.preview", preview, withCallFacts);

/** The number of items that have to be scanned, or an upper limit of it. */
function* countTargets(userId: number, choice: RepairChoice): Unit<number> {
  return "filter" in choice ? yield* qsoList.count(userId, parseFilter(choice.filter)) : listNamed(choice).length;
}

/** The items after one of them. A selection that names its items has them all at the start. */
function* nextTargets(userId: number, choice: RepairChoice, last?: Target): Unit<Target[]> {
  if (!("filter" in choice)) return last ? [] : listNamed(choice);
  const chosen = { userId, filter: parseFilter(choice.filter), broughtBy: choice.broughtBy };
  const ids = yield* qsoList.nextIds(chosen, last?.qsoId ?? 0, IDS_PER_SCAN);
  return ids.map((qsoId) => ({ qsoId, otherId: null }));
}

const count = (counts: RepairCounts, more: RepairCounts): void => {
  for (const name of ["chosen", "changed", "deleted", "unchanged"] as const) counts[name] += more[name];
  for (const { reason, contacts } of more.refused) {
    const known = counts.refused.find((one) => one.reason === reason);
    if (known) known.contacts += contacts;
    else counts.refused.push({ reason, contacts });
  }
};

const toExample = ({ before, after }: Outcome): Example => ({
  qsoId: before.id,
  call: before.call,
  startedAt: before.startedAt,
  kind: after ? "updated" : "deleted",
  diff: cutLongTexts(computeDiff(toSnapshot(before), after && toSnapshot(after))),
});
