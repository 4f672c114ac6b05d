import { describeConfirmer } from "../../src/domain/awards/award-words.ts";
import {
  CONFIRMERS,
  hasMatrix,
  type AwardMatrix,
  type Confirmer,
  type Progress,
} from "../../src/domain/awards/award.ts";
import {
  renderAwardList,
  LIST_HEAD,
  renderRows,
  renderMatrix,
  moveInMatrix,
  renderNotes,
  listNeededRows,
  keepPlaceInSight,
  listSlotRows,
  type ListedRow,
  type Place,
} from "./award-lines.ts";
import { AT_TOP, keepInSight, moveCursor, type Cursor } from "./cursor.ts";
import { renderProblem, UNSEEN, type Context, type Screen } from "./context.ts";
import { useLatest, type Latest } from "./use-latest.ts";
import type { Line, Span } from "./line.ts";
import { usePoll } from "./use-poll.ts";
import { getLetter, moveOf, type Press } from "./keymap.ts";
import { getSlotFilter } from "./slot-filter.ts";

interface State {
  list: Cursor;
  open: Progress | null;
  isNeeded: boolean;
  by: Confirmer;
  group: string | null;
  place: Place;
  rows: Cursor;
  find: string;
  isTyping: boolean;
}

const LIST_HINT = "Enter open   w needed   c by whom   ? help   q quit";
const AWARD_HINT = "Enter QSOs   / find   n N hits   ? help   q back";
const GROUPS = ["cw", "phone", "digital"];
const INITIAL_PLACE: Place = { row: 0, column: 0, top: 0, left: 0 };

/** The list of awards, and for each its matrix or slots and what is needed. */
export const useAwards = (context: Context, isShown: boolean): Screen => {
  const { client, size } = context;
  const state = useLatest<State>({
    list: AT_TOP,
    open: null,
    isNeeded: false,
    by: "sponsor",
    group: null,
    place: INITIAL_PLACE,
    rows: AT_TOP,
    find: "",
    isTyping: false,
  });
  const { open, isNeeded, by, group } = state.now;
  const version = `${context.version} ${context.refreshes}`;
  const awards = usePoll({
    subject: isShown ? `awards ${by}` : null,
    version,
    ask: async () => (await client.awards({ by })).awards,
  });
  const isMatrix = open !== null && !isNeeded && hasMatrix(open);
  const asked = { by, ...(group === null ? {} : { group }) };
  const matrix = usePoll({
    subject: isShown && isMatrix ? JSON.stringify([open.id, asked]) : null,
    version,
    ask: () => client.matrix(open!.id, asked),
  });
  const listed = usePoll({
    subject: isShown && open && !isMatrix ? JSON.stringify([open.id, asked, isNeeded]) : null,
    version,
    ask: async () =>
      isNeeded
        ? listNeededRows(await client.needed(open!.id, asked), context.labels)
        : listSlotRows(await client.award(open!.id, asked), context.labels),
  });
  if (!isShown) return UNSEEN;

  const problem = awards.problem ?? matrix.problem ?? listed.problem;
  if (open === null) {
    const known = awards.value ?? [];
    const height = size.height - LIST_HEAD;
    return {
      lines: problem
        ? renderProblem(problem, size)
        : awards.value
          ? renderAwardList(known, keepInSight(state.now.list, known.length, height), size)
          : [[], [["  Counting awards …", "quiet"]]],
      keys: (press) => pressInList(state, press, known, height),
      hint: LIST_HINT,
    };
  }
  const heading = renderHeading(state.now, context);
  const instead = problem
    ? [heading, ...renderProblem(problem, size).slice(1)]
    : [heading, [["  Loading …", "quiet"] as const]];
  if (isMatrix) {
    const known = matrix.value;
    const notes = known ? renderNotes(known, context.labels) : [];
    const rest = { ...size, height: size.height - notes.length };
    const [title, ...lines] = known
      ? renderMatrix(known, keepPlaceInSight(state.now.place, known, rest), heading, rest)
      : [];
    return {
      lines: title && !problem ? [title, ...notes, ...lines] : instead,
      keys: (press) =>
        known ? pressInMatrix(state, press, known, { ...context, size: rest }) : pressAnywhere(state, press),
      hint: AWARD_HINT,
    };
  }
  const rows = listed.value ?? [];
  const isThere = listed.value !== null && !problem;
  return {
    lines: isThere
      ? renderRows(rows, keepInSight(state.now.rows, rows.length, size.height - 1), heading, size)
      : instead,
    keys: (press) => pressInRows(state, press, rows, context),
    hint: AWARD_HINT,
  };
};

const renderHeading = ({ open, isNeeded, by, group, find, isTyping }: State, { labels }: Context): Line => {
  const search: Span[] = isTyping
    ? [["  /", "title"], find, [" ", "chosen"]]
    : find === ""
      ? []
      : [[`  /${find}`, "live"]];
  return [
    [` ${open!.label}${isNeeded ? ", needed" : ""}`, "title"],
    "   ",
    ["c", "title"],
    ` counts ${describeConfirmer(by, labels)}   `,
    ["m", "title"],
    ` ${group ?? "all modes"}   `,
    ["w", "title"],
    isNeeded ? " worked" : " needed",
    ...search,
  ];
};

const pressInList = (state: Latest<State>, press: Press, awards: readonly Progress[], height: number): boolean => {
  const { list } = state.now;
  const move = moveOf(press);
  const letter = getLetter(press);
  if (press.name === "enter" || letter === "w") {
    const open = awards[keepInSight(list, awards.length, height).at];
    if (open) state.change({ open, isNeeded: letter === "w", place: INITIAL_PLACE, rows: AT_TOP, find: "" });
  } else if (letter === "c") state.change({ by: nextConfirmer(state.now.by) });
  else if (move) state.change({ list: moveCursor(list, move, awards.length, height) });
  else return false;
  return true;
};

const nextConfirmer = (by: Confirmer): Confirmer => CONFIRMERS[(CONFIRMERS.indexOf(by) + 1) % CONFIRMERS.length]!;

/** Keys that work in every view of an award. */
const pressAnywhere = (state: Latest<State>, press: Press): boolean => {
  const { by, group, isNeeded } = state.now;
  const letter = getLetter(press);
  if (press.name === "escape" || letter === "q") state.change({ open: null, isTyping: false });
  else if (letter === "c") state.change({ by: nextConfirmer(by) });
  else if (letter === "m") state.change({ group: GROUPS[group === null ? 0 : GROUPS.indexOf(group) + 1] ?? null });
  else if (letter === "w") state.change({ isNeeded: !isNeeded, rows: AT_TOP });
  else if (letter === "/") state.change({ isTyping: true, find: "" });
  else return false;
  return true;
};

const pressInMatrix = (state: Latest<State>, press: Press, matrix: AwardMatrix, context: Context): boolean => {
  const place = keepPlaceInSight(state.now.place, matrix, context.size);
  const goTo = (row: number) => state.change({ place: keepPlaceInSight({ ...place, row }, matrix, context.size) });
  const labels = matrix.rows.map(({ label }) => label);
  if (state.now.isTyping || getLetter(press)?.toLowerCase() === "n") return find(state, press, labels, place.row, goTo);
  if (press.name === "enter") {
    const row = matrix.rows[place.row];
    const band = matrix.bands[place.column - 1] ?? null;
    if (row) openSlot(context, state, { key: row.key, label: row.label, band, group: null });
    return true;
  }
  const move = moveOf(press);
  if (!move) return pressAnywhere(state, press);
  state.change({ place: moveInMatrix(place, move, matrix, context.size) });
  return true;
};

const pressInRows = (state: Latest<State>, press: Press, rows: readonly ListedRow[], context: Context): boolean => {
  const height = context.size.height - 1;
  const cursor = keepInSight(state.now.rows, rows.length, height);
  const goTo = (at: number) => state.change({ rows: keepInSight({ ...cursor, at }, rows.length, height) });
  const labels = rows.map(({ label, slot }) => `${label} ${slot?.key ?? ""}`);
  if (state.now.isTyping || getLetter(press)?.toLowerCase() === "n") return find(state, press, labels, cursor.at, goTo);
  const slot = rows[cursor.at]?.slot;
  if (press.name === "enter") {
    if (slot) openSlot(context, state, slot);
    return true;
  }
  const move = moveOf(press);
  if (!move) return pressAnywhere(state, press);
  state.change({ rows: moveCursor(cursor, move, rows.length, height) });
  return true;
};

/** Finds the first row with the typed text; n and N go to the next and previous one. */
const find = (
  state: Latest<State>,
  press: Press,
  labels: readonly string[],
  at: number,
  goTo: (row: number) => void,
): boolean => {
  const seek = (text: string, from: number, step: number) => {
    for (let tried = 0; text !== "" && tried < labels.length; tried++) {
      const index = (from + step * tried + labels.length * 2) % labels.length;
      if (labels[index]!.toLowerCase().includes(text.toLowerCase())) return goTo(index);
    }
  };
  const { find: text, isTyping } = state.now;
  const letter = getLetter(press);
  if (!isTyping) seek(text, letter === "n" ? at + 1 : at - 1, letter === "n" ? 1 : -1);
  else if (press.name === "enter") state.change({ isTyping: false });
  else if (press.name === "escape") state.change({ isTyping: false, find: "" });
  else if (press.name === "interrupt") return false;
  else {
    const typed =
      press.name === "backspace" ? text.slice(0, -1) : press.name === "clearLine" ? "" : text + (letter ?? "");
    state.change({ find: typed });
    seek(typed, at, 1);
  }
  return true;
};

const openSlot = (context: Context, { now: { open } }: Latest<State>, slot: ListedRow["slot"]): void => {
  const filter = open && slot && getSlotFilter(open.id, slot);
  if (filter) context.showQsos(filter);
  else context.say("You cannot filter the log by this.");
};
