import { useEffect } from "react";
import { describeConfirmer } from "../../../src/domain/awards/award-words.ts";
import {
  CONFIRMERS,
  hasMatrix,
  type AwardBand,
  type AwardMatrix,
  type Confirmer,
  type Progress,
} from "../../../src/domain/awards/award.ts";
import {
  LIST_HEAD,
  getColumnCount,
  getMatrixWidth,
  getSlotFilter,
  keepPlaceInSight,
  listNeededRows,
  listSlotRows,
  moveInMatrix,
  renderAwardList,
  renderMatrix,
  renderNotes,
  renderRows,
  type ListedRow,
  type Place,
} from "./lines.ts";
import { AT_TOP, getNext, keepInSight, moveCursor, type Cursor } from "../cursor.ts";
import {
  backBy,
  keysIf,
  LIST_MOVES,
  renderKey,
  renderNoAnswer,
  runKey,
  UNSEEN,
  type AwardWish,
  type Context,
  type KeyHint,
  type Screen,
} from "../context.ts";
import { questionsOf, useLatest, usePoll, type Latest } from "../hooks.ts";
import { CARET, joinPane, SEPARATOR, splitWidth, type Line } from "../line.ts";
import { typeInto } from "../dialogs/prompt.ts";
import { getLetter, moveOf, type Press } from "../keymap.ts";
import { renderQso, renderQsoTitles } from "../log/qso-lines.ts";
import { toRow } from "../log/qso-window.ts";
import type { QsoListDocument } from "../../../src/logbook/contract.ts";
import { formatCount } from "../../../src/kernel/number-text.ts";

interface State {
  list: Cursor;
  open: Progress | null;
  isNeeded: boolean;
  by: Confirmer;
  group: string | null;
  /** Of a list; a matrix has all bands. */
  band: string | null;
  place: Place;
  rows: Cursor;
  find: string;
  isTyping: boolean;
}

const TYPING_HINTS: readonly KeyHint[] = [
  ["Enter", "keep"],
  ["Esc", "cancel"],
];
/** The detail follows the cursor when it rests. */
const AT_REST = { delayMs: 80 };
const MIN_PANE_WIDTH = 50;
const GROUPS = ["cw", "phone", "digital"];
const INITIAL_PLACE: Place = { row: 0, column: 0, top: 0, left: 0 };

const INITIAL: State = {
  list: AT_TOP,
  open: null,
  isNeeded: false,
  by: "sponsor",
  group: null,
  band: null,
  place: INITIAL_PLACE,
  rows: AT_TOP,
  find: "",
  isTyping: false,
};

/** The list of awards, and for each its matrix or slots and what is needed. */
export const useAwards = (context: Context, isShown: boolean, wish: AwardWish): Screen => {
  const { client, size, isPlain } = context;
  const state = useLatest<State>(INITIAL);
  const { open, isNeeded, by, group, band } = state.now;
  const question = questionsOf(context, isShown);
  const awards = usePoll(question(`awards ${by}`, async () => (await client.awards({ by })).awards));
  useEffect(() => {
    const wanted = wish && awards.value?.find(({ id }) => id === wish.id);
    if (wanted)
      state.change({ ...INITIAL, open: wanted, by, isNeeded: wish.isNeeded, band: wish.band, group: wish.group });
  }, [wish, awards.value === null]);
  const bands = usePoll(
    question("bands", async () =>
      (await client.stats()).byBand.toSorted((a, b) => b.total - a.total).map(({ band }) => band),
    ),
  );
  const isMatrix = open !== null && !isNeeded && !isPlain && hasMatrix(open);
  const asked = { by, group: group ?? undefined };
  const listing = { ...asked, band: band ?? undefined };
  const matrix = usePoll(
    question(isMatrix ? JSON.stringify([open.id, asked]) : null, () => client.matrix(open!.id, asked)),
  );
  const listed = usePoll(
    question(open && !isMatrix ? JSON.stringify([open.id, listing, isNeeded]) : null, async () =>
      isNeeded
        ? listNeededRows(await client.needed(open!.id, listing), context)
        : listSlotRows(await client.award(open!.id, listing), context),
    ),
  );
  const split = isPlain ? null : splitWidth(size);
  const atCursor = awards.value?.[keepInSight(state.now.list, awards.value.length, size.height - LIST_HEAD).at];
  const needed = usePoll(
    question(
      split && open === null && atCursor ? JSON.stringify([atCursor.id, by]) : null,
      async () => listNeededRows(await client.needed(atCursor!.id, { by }), context),
      AT_REST,
    ),
  );
  const cell = matrix.value && isMatrix ? getCellFilter(open, matrix.value, state.now.place, context) : null;
  const matrixWidth = matrix.value ? getMatrixWidth(matrix.value, size.width) : size.width;
  const hasPane = split !== null && size.width - matrixWidth >= MIN_PANE_WIDTH;
  const contacts = usePoll(
    question(
      hasPane && cell ? JSON.stringify(cell) : null,
      async () => client.qsos({ ...cell, limit: String(MAX_CONTACTS) }),
      AT_REST,
    ),
  );
  if (!isShown) return UNSEEN;

  const problem = awards.problem ?? matrix.problem ?? listed.problem;
  if (open === null) {
    const known = awards.value ?? [];
    const height = size.height - LIST_HEAD;
    const listKeys = () => listOverviewKeys(state, known, height);
    return {
      lines:
        awards.value && !problem
          ? renderList(known, keepInSight(state.now.list, known.length, height), needed.value, context)
          : renderNoAnswer(problem, size, "Counting awards …"),
      keys: (press) => {
        const move = moveOf(press);
        if (runKey(listKeys(), press)) return true;
        if (move) state.change({ list: moveCursor(state.now.list, move, known.length, height) });
        return move !== null;
      },
      hints: listKeys(),
    };
  }
  const heading = renderHeading(state.now, context);
  const instead = [heading, ...renderNoAnswer(problem, size).slice(1)];
  if (isMatrix) {
    const known = matrix.value;
    const notes = known ? renderNotes(known) : [];
    const rest = { width: hasPane ? matrixWidth : size.width, height: size.height - notes.length };
    const [title, ...lines] = known
      ? renderMatrix(known, keepPlaceInSight(state.now.place, known, rest), heading, rest)
      : [];
    const shown = title && !problem ? [title, ...notes, ...lines] : instead;
    const widths = { list: matrixWidth, pane: size.width - matrixWidth - SEPARATOR.length };
    return {
      lines: hasPane ? joinPane(shown, renderCellContacts(contacts.value, context, widths.pane), widths) : shown,
      keys: (press) =>
        known
          ? pressInMatrix(state, press, known, { ...context, size: rest })
          : runKey(listAwardKeys(state, false), press),
      hints: state.now.isTyping ? TYPING_HINTS : listAwardKeys(state, false),
      isTyping: state.now.isTyping,
    };
  }
  const rows = listed.value ?? [];
  const isThere = listed.value !== null && !problem;
  const columns = getColumnCount(size.width, isPlain);
  return {
    lines: isThere
      ? renderRows(rows, keepInSight(state.now.rows, rows.length, (size.height - 1) * columns), heading, size, columns)
      : instead,
    keys: (press) => pressInRows(state, press, rows, bands.value ?? [], context),
    hints: state.now.isTyping ? TYPING_HINTS : listAwardKeys(state, true),
    isTyping: state.now.isTyping,
  };
};

/** The keys of the list of awards. */
const listOverviewKeys = (state: Latest<State>, awards: readonly Progress[], height: number): readonly KeyHint[] => {
  const open = (isNeeded: boolean) => () => {
    const award = awards[keepInSight(state.now.list, awards.length, height).at];
    if (award) state.change({ open: award, isNeeded, place: INITIAL_PLACE, rows: AT_TOP, find: "" });
  };
  return [
    ["Enter", "open", open(false)],
    ["w", "needed", open(true)],
    ["c", "confirmed by", () => countNextConfirmer(state)],
    LIST_MOVES,
  ];
};

/** The keys that work in every view of an award. */
const listAwardKeys = (state: Latest<State>, hasBand: boolean): readonly KeyHint[] => {
  const { group, isNeeded } = state.now;
  return [
    ["Enter", "QSOs"],
    ...keysIf(hasBand, ["b", "band"]),
    ["w", isNeeded ? "worked" : "needed", () => state.change({ isNeeded: !isNeeded, rows: AT_TOP })],
    ["c", "confirmed by", () => countNextConfirmer(state)],
    ["m", "mode", () => state.change({ group: getNext(GROUPS, group) })],
    ["/", "find", () => state.change({ isTyping: true, find: "" })],
    ["n N", "next hit, previous hit"],
    ["h j k l", "move"],
    backBy(() => state.change({ open: null, isTyping: false })),
  ];
};

const countNextConfirmer = (state: Latest<State>): void =>
  state.change({ by: CONFIRMERS[(CONFIRMERS.indexOf(state.now.by) + 1) % CONFIRMERS.length]! });

const MAX_CONTACTS = 100;

const getCellFilter = (open: Progress, matrix: AwardMatrix, place: Place, { size }: Context) => {
  const { row, column } = keepPlaceInSight(place, matrix, size);
  const slot = matrix.rows[row];
  const band = matrix.bands[column - 1] ?? null;
  return slot ? getSlotFilter(open.id, { key: slot.key, label: slot.label, band, group: null }) : null;
};

/** The contacts of the current cell, next to the matrix. */
const renderCellContacts = (found: QsoListDocument | null, { size }: Context, width: number): Line[] =>
  found === null
    ? []
    : [
        [[` ${formatCount(found.total, "QSO")} of this cell`, "title"]],
        renderQsoTitles(width, false),
        ...found.qsos.slice(0, size.height - 2).map((qso): Line => [" ", ...renderQso(toRow(qso), width, false)]),
      ];

/** The awards; next to them, what the one at the cursor still needs. */
const renderList = (
  awards: readonly Progress[],
  cursor: Cursor,
  needed: readonly ListedRow[] | null,
  { size, isPlain }: Context,
): Line[] => {
  const split = isPlain ? null : splitWidth(size);
  const lines = renderAwardList(awards, cursor, { ...size, width: split?.list ?? size.width }, isPlain);
  return split
    ? joinPane(
        lines,
        (needed ?? []).map(({ line }) => line),
        split,
      )
    : lines;
};

const renderHeading = (
  { open, isNeeded, by, group, band, find, isTyping }: State,
  { isPlain, hasLetterKeys }: Context,
): Line => {
  const renderSetting = (key: string, words: string): Line => [...renderKey(key, hasLetterKeys), `${words}   `];
  const search: Line = isTyping ? [["/", "title"], find, CARET] : find === "" ? [] : [[`/${find}`, "live"]];
  return [
    [` ${open!.label}${isNeeded ? ", needed" : ""}   `, "title"],
    ...(isNeeded || isPlain || !hasMatrix(open!) ? renderSetting("b", band ?? "all bands") : []),
    ...renderSetting("c", `counts ${describeConfirmer(by)}`),
    ...renderSetting("m", group ?? "all modes"),
    ...(hasLetterKeys ? renderSetting("w", isNeeded ? "worked" : "needed") : []),
    ...search,
  ];
};

const pressInMatrix = (state: Latest<State>, press: Press, matrix: AwardMatrix, context: Context): boolean => {
  const place = keepPlaceInSight(state.now.place, matrix, context.size);
  const goTo = (row: number) => state.change({ place: keepPlaceInSight({ ...place, row }, matrix, context.size) });
  const names = matrix.rows.map(({ label }) => label);
  if (state.now.isTyping || getLetter(press)?.toLowerCase() === "n") return find(state, press, names, place.row, goTo);
  if (press.name === "enter") {
    const row = matrix.rows[place.row];
    const band = matrix.bands[place.column - 1] ?? null;
    if (row) openSlot(context, state, { key: row.key, label: row.label, band, group: null });
    return true;
  }
  if (getLetter(press) === "w") {
    state.change({ isNeeded: true, rows: AT_TOP, band: matrix.bands[place.column - 1] ?? null });
    return true;
  }
  const move = moveOf(press);
  if (!move) return runKey(listAwardKeys(state, false), press);
  state.change({ place: moveInMatrix(place, move, matrix, context.size) });
  return true;
};

const pressInRows = (
  state: Latest<State>,
  press: Press,
  rows: readonly ListedRow[],
  bands: readonly string[],
  context: Context,
): boolean => {
  const column = context.size.height - 1;
  const height = column * getColumnCount(context.size.width, context.isPlain);
  const cursor = keepInSight(state.now.rows, rows.length, height);
  const goTo = (at: number) => state.change({ rows: keepInSight({ ...cursor, at }, rows.length, height) });
  const names = rows.map(({ label, slot }) => `${label} ${slot?.key ?? ""}`);
  const letter = getLetter(press);
  if (state.now.isTyping || letter?.toLowerCase() === "n") return find(state, press, names, cursor.at, goTo);
  const slot = rows[cursor.at]?.slot;
  if (press.name === "enter") {
    if (slot) openSlot(context, state, { ...slot, band: slot.band ?? (state.now.band as AwardBand | null) });
    return true;
  }
  if (letter === "b" || letter === "B") {
    const all = [null, ...bands];
    const step = letter === "b" ? 1 : -1;
    state.change({ band: all[(all.indexOf(state.now.band) + step + all.length) % all.length]!, rows: AT_TOP });
    return true;
  }
  const move = moveOf(press);
  if (!move) return runKey(listAwardKeys(state, true), press);
  if (move === "left" || move === "right") {
    const at = cursor.at + (move === "left" ? -column : column);
    if (height > column && at >= 0 && at < rows.length) goTo(at);
    return true;
  }
  state.change({ rows: moveCursor(cursor, move, rows.length, height) });
  return true;
};

/** Finds the first row with the typed text; n and N go to the next and previous one. */
const find = (
  state: Latest<State>,
  press: Press,
  names: readonly string[],
  at: number,
  goTo: (row: number) => void,
): boolean => {
  const seek = (text: string, from: number, step: number) => {
    for (let tried = 0; text !== "" && tried < names.length; tried++) {
      const index = (from + step * tried + names.length * 2) % names.length;
      if (names[index]!.toLowerCase().includes(text.toLowerCase())) return goTo(index);
    }
  };
  const { find: text, isTyping } = state.now;
  const typed = isTyping ? typeInto(text, press) : null;
  const isForward = getLetter(press) === "n";
  if (typed !== null) {
    state.change({ find: typed });
    seek(typed, at, 1);
  } else if (!isTyping) seek(text, isForward ? at + 1 : at - 1, isForward ? 1 : -1);
  else if (press.name === "enter") state.change({ isTyping: false });
  else if (press.name === "escape") state.change({ isTyping: false, find: "" });
  return true;
};

const openSlot = (context: Context, { now: { open } }: Latest<State>, slot: ListedRow["slot"]): void => {
  const filter = open && slot && getSlotFilter(open.id, slot);
  if (filter) context.showQsos(filter);
  else context.say("You cannot filter the log by this.");
};
