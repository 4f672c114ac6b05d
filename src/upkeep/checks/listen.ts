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
    const words = `${formatCount(waiting.length, "contact")} that programs told of ${waiting.length === 1 ? "waits" : "wait"} for ${to ?? "a log"} since ${formatMoment(oldest.at)}`;
    if (holder === null) findings.push(say.warn(`${words}, and nothing listens.`, "qsolog listen   (delivers them)"));
    else if (now - oldest.at > LONG_AGO)
      findings.push(say.warn(`${words}.`, "Is that server there? Its listener says what it waits for."));
    else findings.push(say.note(`${words}.`));
  }
  if (refused > 0) {
    const words = `${formatCount(refused, "contact")} that programs told of ${refused === 1 ? "was" : "were"} refused by the log.`;
    findings.push(say.warn(words, `Look at ${folder}/refused.jsonl, type what is missing, and remove the file`));
  }
  if (findings.length > 0) return findings;
  return [
    say.ok(
      holder === null
        ? "Nothing listens for programs, and nothing waits."
        : "Programs are listened to, and nothing waits.",
    ),
  ];
};
