import { DUPLICATE_KINDS, DUPLICATE_WORDS, type DuplicateKind } from "../../../src/domain/jobs/duplicates.ts";
import { formatCount } from "../../../src/kernel/number-text.ts";
import { formatUtc } from "../../../src/kernel/time-text.ts";
import type { DuplicatesDocument, MergeRequest } from "../../../src/logbook/contract.ts";
import { toMergeChange } from "../../repair-request.ts";
import { renderKeyLine, type Context } from "../context.ts";
import { formatCell } from "../../table.ts";
import { type Line } from "../line.ts";
import { askToChange } from "./bulk-change.ts";
import { showLoading } from "./confirm.ts";
import { getLetter, moveOf } from "../keymap.ts";

const AT_ONCE = 200;

/** Shows the duplicates of the log one group at a time, to merge one group or all of its kind. */
export const askAboutDuplicates = (context: Context): void => {
  const confirm = (request: MergeRequest) => askToChange(context, toMergeChange(request));
  const show = (found: DuplicatesDocument, at: number) => {
    const group = found.groups[at]!;
    context.ask({
      title: `Duplicates: ${at + 1} of ${formatCount(found.total, "group")}`,
      lines: [
        ...renderCounts(found.kinds),
        [],
        [[group.why.map((kind) => DUPLICATE_WORDS[kind]).join("; "), "title"]],
        ...group.contacts.map(({ id, call, startedAt, band, mode, submode, stationCallsign }): Line => [
          `${String(id).padStart(7)}  ${formatCell(call, 12)} ${formatUtc(startedAt)}  ${formatCell(band, 5)} ${formatCell(submode ?? mode, 6)} ${stationCallsign ?? ""}`,
        ]),
        [],
        renderKeyLine(["m", "merge"], ["a", "all of this kind"], ["j k", "next, previous"], ["Esc", "back"]),
      ],
      press(press) {
        const letter = getLetter(press);
        if (letter === "m") return confirm({ qsoId: group.contacts[0]!.id });
        if (letter === "a") return confirm({ kind: group.kind });
        const move = moveOf(press);
        if (move === "down" || move === "right") return show(found, Math.min(at + 1, found.groups.length - 1));
        if (move === "up" || move === "left") return show(found, Math.max(at - 1, 0));
        context.ask(null);
      },
    });
  };
  showLoading(context, ["Duplicates", "Searching the log …"], context.client.duplicates({ limit: AT_ONCE }), (found) =>
    found.groups.length > 0 ? show(found, 0) : context.say("No duplicates found."),
  );
};

const renderCounts = (kinds: Record<DuplicateKind, number>): Line[] =>
  DUPLICATE_KINDS.filter((kind) => kinds[kind] > 0).map((kind): Line => [
    [`${formatCount(kinds[kind], "group")}: ${DUPLICATE_WORDS[kind]}`, "quiet"],
  ]);
