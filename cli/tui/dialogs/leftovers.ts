import { describeLeftRecord, COUNT_WORDS } from "../../../src/domain/jobs/job-words.ts";
import type { AppError } from "../../../src/kernel/errors.ts";
import { formatUtc } from "../../../src/kernel/time-text.ts";
import type { LeftoverView } from "../../../src/logbook/contract.ts";
import { describeLeftReason } from "../../words.ts";
import type { Context } from "../context.ts";
import { wrapLines, type Line } from "../line.ts";
import { askToPick } from "./picker.ts";
import { getLetter } from "../keymap.ts";

/** Asks what to do with an unmatched record: the only one, or one that is picked. */
export const askAboutLeftovers = (context: Context, leftovers: readonly LeftoverView[]): void => {
  const waiting = leftovers.filter(({ actions }) => actions.dismiss);
  if (waiting.length === 0) return context.say("No unresolved records.");
  if (waiting.length === 1) return askAbout(context, waiting[0]!);
  askToPick(context, {
    title: "Which record?",
    offers: waiting.map((leftover) => ({
      label: describeLeftRecord(leftover.record),
      says: COUNT_WORDS[leftover.kind],
      leftover,
    })),
    onPick: ({ leftover }) => askAbout(context, leftover),
  });
};

interface Candidate {
  id: number;
  words: string;
}

const MAX_CANDIDATES = 9;

type Waiting = Pick<LeftoverView, "id" | "kind" | "reason" | "record" | "candidates" | "resolution">;

/** Asks what to do with one record. */
export const askAbout = (context: Context, leftover: Waiting): void => {
  const ids = leftover.candidates.filter((id) => id > 0).slice(0, MAX_CANDIDATES);
  Promise.all(ids.map((id) => loadCandidate(context, id))).then(
    (candidates) =>
      ask(
        context,
        leftover,
        candidates.filter((one) => one !== null),
      ),
    context.fail,
  );
};

/** Null for a contact that was deleted since. */
const loadCandidate = async (context: Context, id: number): Promise<Candidate | null> => {
  const qso = await context.client.qso(id).catch((error: AppError) => {
    if (error.code === "not_found") return null;
    throw error;
  });
  if (qso === null) return null;
  const { call, startedAt, band, mode, submode, stationCallsign } = qso;
  const words = [
    call,
    `${formatUtc(startedAt)} UTC`,
    band,
    submode ?? mode,
    stationCallsign && `by ${stationCallsign}`,
  ];
  return { id, words: words.filter(Boolean).join("  ") };
};

/** The frame of a dialog, and some room. */
const AROUND = 8;

const ask = (context: Context, leftover: Waiting, candidates: readonly Candidate[]): void => {
  const width = context.size.width - AROUND;
  const settle = (act: "match" | "new", qsoId?: number) =>
    context.client
      .settle({ act, leftovers: [{ id: leftover.id, qsoId }] })
      .then(({ job }) => context.client.untilEnd(job.id))
      .then(
        ({ job }) => context.say(job.error?.message ?? `Resolved by job ${job.id}. You can undo it.`),
        context.fail,
      );
  const mayBeNew = leftover.kind === "unmatched";
  context.ask({
    title: "Unresolved",
    lines: [
      ...wrapLines(describeLeftRecord(leftover.record), width, null, ""),
      ...wrapLines(describeLeftReason(leftover), width, "quiet", ""),
      [],
      ...candidates.map(({ words }, at): Line => [[String(at + 1), "title"], ` it belongs to ${words}`]),
      ...(mayBeNew ? [[["a", "title"], " add it as a new QSO"] as Line] : []),
      [["d", "title"], " dismiss it"],
      [["Esc", "title"], " cancel"],
    ],
    press(press) {
      const letter = getLetter(press);
      context.ask(null);
      const candidate = candidates[Number(letter) - 1];
      if (candidate) void settle("match", candidate.id);
      else if (letter === "a" && mayBeNew) void settle("new");
      else if (letter === "d")
        context.client.dismissLeftover(leftover.id).then(() => context.say("Dismissed the record."), context.fail);
    },
  });
};
