/** @jsxImportSource @kitajs/html */
import { describePlaces } from "../../src/domain/jobs/gain-words.ts";
import type { Gains } from "../../src/domain/jobs/gains.ts";
import { JOB_TEXTS } from "../texts/jobs.ts";

const WORDS = JOB_TEXTS.gains;

/** What was newly worked or confirmed, by kind; nothing if there is none. */
export const GainsList = ({ gains }: { gains: readonly Gains[] }) => {
  const lines = (["worked", "confirmed"] as const).flatMap((level) =>
    describePlaces(gains.map((one) => one[level])).map((words) => WORDS[level](words)),
  );
  return lines.length === 0 ? (
    ""
  ) : (
    <ul class="plain">
      {lines.map((line) => (
        <li safe>{line}</li>
      ))}
    </ul>
  );
};
