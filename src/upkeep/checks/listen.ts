import { MINUTE } from "../../kernel/clock.ts";
import { formatCount } from "../../kernel/number-text.ts";
import { formatMoment } from "../../kernel/time-text.ts";
import { findHolder, getQueueFolder } from "../../listen/folder.ts";
import { countRefused, readQueue } from "../../listen/queue.ts";
import type { World } from "../../world.ts";
import { createFindings, type Finding } from "../diagnostic.ts";

const LONG_AGO = 15 * MINUTE;

/** Checks for received contacts that are not in a log yet. */
export const checkQueue = async ({ config, clock }: Pick<World, "config" | "clock">): Promise<Finding[]> => {
  const say = createFindings("listen");
  const folder = getQueueFolder(config.dataDir);
  const [{ to, waiting }, refused] = await Promise.all([readQueue(folder), countRefused(folder)]);
  const now = clock();
  const holder = findHolder(folder, now);
  const findings: Finding[] = [];
  const [oldest] = waiting;
  if (oldest) {
    const words = `${formatCount(waiting.length, "contact")} from programs ${waiting.length === 1 ? "has" : "have"} been waiting for ${to ?? "a log"} since ${formatMoment(oldest.at)}`;
    if (holder === null)
      findings.push(say.warn(`${words}, and qsolog listen is not running.`, "qsolog listen   (delivers them)"));
    else if (now - oldest.at > LONG_AGO)
      findings.push(
        say.warn(`${words}.`, "Check that the server is running. The output of qsolog listen shows why it waits."),
      );
    else findings.push(say.note(`${words}.`));
  }
  if (refused > 0) {
    const words = `The log refused ${formatCount(refused, "contact")} from programs.`;
    findings.push(
      say.warn(words, `Read ${folder}/refused.jsonl, add the missing contacts by hand, and delete the file`),
    );
  }
  if (findings.length > 0) return findings;
  return [
    say.ok(
      holder === null
        ? "qsolog listen is not running, and no contacts are waiting."
        : "qsolog listen is running, and no contacts are waiting.",
    ),
  ];
};
