import { useEffect } from "react";
import { MODE_GROUPS } from "../../../src/domain/radio/mode.ts";
import { formatCount, formatPlural } from "../../../src/kernel/number-text.ts";
import { formatUtc } from "../../../src/kernel/time-text.ts";
import { listCompletions } from "../../../src/domain/contact/search-words.ts";
import { SERVICES } from "../../../src/domain/jobs/source.ts";
import type { FilterParameters, WhyDocument } from "../../../src/logbook/contract.ts";
import { formatWhy } from "../../qso-words.ts";
import { AT_TOP, getNext, keepInSight, moveCursor, scrollTop, type Cursor } from "../cursor.ts";
import {
  backBy,
  keysIf,
  LIST_MOVES,
  nameKey,
  renderProblem,
  runKey,
  UNSEEN,
  type Context,
  type KeyHint,
  type Keyboard,
  type Screen,
} from "../context.ts";
import { loadEntitySlots } from "./entity-slots.ts";
import { questionsOf, useLatest, usePoll, type Latest } from "../hooks.ts";
import { fitHeight, joinPane, splitWidth, toPlainText, type Line } from "../line.ts";
import { isNarrowed, LOG_HEAD, renderLog, VERDICT_LINES, NO_FILTER, type LogFilter } from "./lines.ts";
import { askAboutDuplicates } from "../dialogs/duplicates.ts";
import { askToReconcile } from "../dialogs/reconcile.ts";
import { askToDelete, askToExport, askToRepair, type Chosen } from "../dialogs/bulk-change.ts";
import { MAX_SELECTED, NO_SELECTION, selectRange, toggleSelected, type Selection } from "./selection.ts";
import { typeInto } from "../dialogs/prompt.ts";
import { askForFilter } from "../dialogs/filter.ts";
import { getLetter, moveOf, type Press } from "../keymap.ts";
import { askToEdit } from "../dialogs/qso-form.ts";
import { renderQsoView } from "./qso-view.ts";
import { useQsoWindow, type QsoRow, type QsoWindow } from "./qso-window.ts";

interface State {
  filter: LogFilter;
  isTyping: boolean;
  cursor: Cursor;
  /** Whether the contact at the cursor is open. */
  isOpen: boolean;
  /** The id of a contact that was edited while open: the list may not have it at this position any more. */
  pinned: number | null;
  /** Shows the origin of each value instead of the values. */
  isWhy: boolean;
  detailTop: number;
  selected: Selection;
  /** The row that was selected last, where a range begins. */
  anchor: number;
}

/** Below this row the list only changes when the user reloads it. */
const FOLLOWED_ROWS = 400;
const HITS: KeyHint = ["n N", "next, previous"];
const TYPING_HINTS: readonly KeyHint[] = [
  ["Enter", "keep the search"],
  ["Tab", "complete"],
  ["Esc", "cancel"],
  ["Ctrl-U", "clear"],
];
/** The detail follows the cursor when it rests. */
const AT_REST = { delayMs: 80 };
const MAX_ALIKE = 8;
const CONFIRMATIONS = ["any", "none", "first", "second", "card"];
const SORTS = ["-startedAt", "startedAt", "call"];

/** Filters from another screen. A new object is a new request. */
type Wish = Readonly<Record<string, string>>;

/** The log: search while typing, filters, and the details of every contact. */
export const useLog = (context: Context, isShown: boolean, wish: Wish): Screen => {
  const { client, size, version } = context;
  const state = useLatest<State>({
    filter: NO_FILTER,
    isTyping: false,
    cursor: AT_TOP,
    isOpen: false,
    pinned: null,
    isWhy: false,
    detailTop: 0,
    selected: NO_SELECTION,
    anchor: 0,
  });
  useEffect(() => {
    if (Object.keys(wish).length > 0)
      state.change({ filter: filterOf(wish), cursor: AT_TOP, isOpen: false, pinned: null });
  }, [wish]);

  const { filter, isTyping, isOpen } = state.now;
  const split = context.isPlain ? null : splitWidth(size);
  const height = size.height - LOG_HEAD - (split ? 0 : VERDICT_LINES);
  const follows = state.now.cursor.at < FOLLOWED_ROWS;
  const { top } = state.now.cursor;
  const asked = {
    parameters: { ...toParameters(filter), sort: filter.sort },
    version: follows ? version : String(context.refreshes),
    from: top,
    to: top + height,
  };
  const { window: last, isSearching, problem } = useQsoWindow(client, asked, isShown);
  const window = problem === null ? last : null;
  const cursor = keepInSight(state.now.cursor, window?.total ?? 0, height);
  const question = questionsOf(context, isShown);
  const bands = usePoll(question("bands", async () => (await client.stats()).byBand.map(({ band }) => band)));
  const id = isShown && (isOpen || split) ? (state.now.pinned ?? window?.getRow(cursor.at)?.id ?? null) : null;
  const { asOf } = filter.only;
  const loadOpen = async () => {
    const qso = await client.qso(id!, { asOf });
    const { qsos, total } = await client.qsos({ call: qso.call, limit: String(MAX_ALIKE), asOf });
    return { qso, alike: qsos, alikeTotal: total };
  };
  const open = usePoll(question(id === null ? null : `${id} ${asOf ?? ""}`, loadOpen, isOpen ? {} : AT_REST));
  const slots = usePoll(question(id === null ? null : `slots ${asOf ?? ""}`, () => loadEntitySlots(client, asOf)));
  const isWhy = state.now.isWhy && asOf === undefined;
  const origins = usePoll(question(id === null || !isOpen || !isWhy ? null : String(id), () => client.why(id!)));
  const width = isOpen ? size.width : (split?.pane ?? size.width);
  const view = open.value
    ? renderQsoView({ ...open.value, slots: slots.value }, { width, isPlain: context.isPlain })
    : [];
  const detail =
    isWhy && isOpen && origins.value
      ? [...view.slice(0, view.findIndex((line) => line.length === 0) + 1), ...renderWhy(origins.value)]
      : view;

  if (!isShown) return UNSEEN;
  const wrong = problem ?? open.problem ?? origins.problem;
  const list: View = { context, state, window, height, bands: bands.value ?? [] };
  const switchSources = () => {
    if (asOf === undefined) return state.change({ isWhy: !isWhy, detailTop: 0 });
    context.say(`Sources are shown for the current log only. Press ${nameKey("F", context)} for it.`);
  };
  const edit = () => {
    if (asOf !== undefined) return refusePast(context);
    if (!open.value) return;
    state.change({ pinned: open.value.qso.id });
    askToEdit(context, open.value.qso);
  };
  const copy = () => open.value && context.copy(detail.map(toPlainText).join("\n"), `QSO ${open.value.qso.id}`);
  const detailKeys: readonly KeyHint[] = [
    HITS,
    ["e", "edit", edit],
    ["w", isWhy ? "details" : "sources", switchSources],
    ["y", "copy", copy],
    ["j k", "scroll"],
    backBy(() => state.change({ isOpen: false, pinned: null })),
  ];
  const keys: Keyboard = (press) => {
    if (state.now.isOpen) return pressInDetail(list, press, detailKeys, detail.length);
    return state.now.isTyping ? type(state, press) : pressInList(list, press);
  };
  if (isOpen) {
    const lines = fitHeight(detail.slice(state.now.detailTop), size.height);
    return { lines: wrong === null ? lines : renderProblem(wrong, size), keys, hints: detailKeys };
  }
  const data = { ...context, ...state.now, cursor, window, isSearching, problem };
  const lines = renderLog(data, { ...size, width: split?.list ?? size.width }, split === null);
  return {
    lines: split ? joinPane(lines, detail, split) : lines,
    keys,
    hints: isTyping ? TYPING_HINTS : listKeys(list),
    isTyping,
  };
};

/** Band and mode group have keys of their own; other filters are only shown. */
const filterOf = ({ band, group, search = "", ...only }: Wish): LogFilter => ({
  ...NO_FILTER,
  text: search,
  band: band ?? null,
  group: group ?? null,
  only,
});

const toParameters = ({ text, band, group, confirmation, notAt, only }: LogFilter): FilterParameters => ({
  ...only,
  search: text.trim() || undefined,
  band: band ?? undefined,
  group: group ?? undefined,
  confirmation: confirmation ?? undefined,
  notAt: notAt ?? undefined,
});

const renderWhy = (document: WhyDocument): Line[] =>
  formatWhy(document)
    .split("\n")
    .map((text): Line => [` ${text}`]);

const type = (state: Latest<State>, press: Press): boolean => {
  const { filter } = state.now;
  const search = (text: string) => state.change({ filter: { ...filter, text }, cursor: AT_TOP });
  const text = typeInto(filter.text, press);
  if (text !== null) search(text);
  else if (press.name === "tab") search(listCompletions(filter.text)[0] ?? filter.text);
  else if (press.name === "escape") state.change({ isTyping: false, filter: { ...filter, text: "" }, cursor: AT_TOP });
  else state.change({ isTyping: false });
  return true;
};

interface View {
  context: Context;
  state: Latest<State>;
  window: QsoWindow | null;
  /** The visible rows of the list. */
  height: number;
  bands: readonly string[];
}

const refusePast = (context: Context): void =>
  context.say(`You cannot change the log as of a past day. Press ${nameKey("F", context)} for the current log.`);

const narrowFilter = (filter: LogFilter, token: string): LogFilter => ({
  ...filter,
  text: [filter.text.trim(), token].filter(Boolean).join(" "),
});

const describeRow = ({ call, startedAt, band, mode, submode, gridsquare, name, entity }: QsoRow): string =>
  [`${formatUtc(startedAt)} UTC`, call, band, submode ?? mode, gridsquare, name, entity].filter(Boolean).join("  ");

/** The keys that come first while contacts are selected. */
const ON_SELECTED: readonly string[] = ["e", "E", "D", "x", "X", "Esc"];

/** The keys of the list, as things are now. */
const listKeys = ({ context, state, window, bands }: View): readonly KeyHint[] => {
  const { filter, cursor, selected, anchor } = state.now;
  const { asOf } = filter.only;
  const total = window?.total ?? 0;
  const here = window?.getRow(cursor.at) ?? null;
  const narrow = (part: Partial<LogFilter>) => state.change({ filter: { ...filter, ...part }, cursor: AT_TOP });
  const select = (next: Selection | null) => {
    if (next === null) return context.say("Scroll through these rows first, so that they are loaded.");
    if (next.size > MAX_SELECTED)
      return context.say(
        `You can select at most ${MAX_SELECTED} QSOs. Search for them, and press e to edit all found.`,
      );
    state.change({ selected: next, anchor: cursor.at });
    if (context.isPlain) context.say(`${next.size} selected.`);
  };
  const unselect = () => state.change({ selected: NO_SELECTION });
  /** The selected contacts, otherwise all that are listed. */
  const withChosen = (act: (chosen: Chosen) => void) => {
    const words = `${selected.size} selected ${formatPlural(selected.size, "QSO")}`;
    if (selected.size > 0) act({ filter: { id: [...selected].join(","), ...(asOf && { asOf }) }, words });
    else if (total === 0) context.say("There are no QSOs here.");
    else act({ filter: toParameters(filter), words: formatCount(total, "QSO") });
  };
  const change = (ask: typeof askToRepair) =>
    asOf === undefined ? withChosen((chosen) => ask(context, chosen, unselect)) : refusePast(context);
  const addFilter = () =>
    askForFilter(context, ({ token, asOf }) => {
      const only = asOf === undefined ? filter.only : { ...filter.only, asOf };
      narrow({ ...narrowFilter(filter, token), only });
    });
  const selectTo = () =>
    window && here && select(selectRange(selected, window, [selected.size === 0 ? cursor.at : anchor, cursor.at]));
  const clearFilters = () => narrow({ ...NO_FILTER, text: filter.text, sort: filter.sort });
  const hasSelected = selected.size > 0;
  const keys: readonly KeyHint[] = [
    ...keysIf(filter.text !== "", HITS),
    ["/", "search", () => state.change({ isTyping: true })],
    ["f", "filter", addFilter],
    ["Enter", "open", () => total > 0 && state.change({ isOpen: true, detailTop: 0 })],
    ["b", "band", () => narrow({ band: getNext(bands, filter.band) })],
    ["m", "mode", () => narrow({ group: getNext(MODE_GROUPS, filter.group) })],
    ["c", "confirmed", () => narrow({ confirmation: getNext(CONFIRMATIONS, filter.confirmation) })],
    ["u", "not at", () => narrow({ notAt: getNext(SERVICES, filter.notAt) })],
    ["o", "order", () => narrow({ sort: getNext(SORTS, filter.sort) ?? SORTS[0]! })],
    ["x", "select", () => here && select(toggleSelected(selected, here.id))],
    ["X", "range", selectTo],
    ["e", hasSelected ? `edit ${selected.size} selected` : "bulk edit", () => change(askToRepair)],
    ["E", "export", () => withChosen((chosen) => askToExport(context, chosen))],
    ...keysIf(hasSelected, ["D", "delete", () => change(askToDelete)], ["Esc", "unselect", unselect]),
    ["d", "duplicates", () => askAboutDuplicates(context)],
    ["R", "compare with services", () => askToReconcile(context)],
    ["y", "copy", () => here && context.copy(describeRow(here), here.call)],
    LIST_MOVES,
    ...keysIf(isNarrowed(filter), ["F", "show all", clearFilters]),
  ];
  if (!hasSelected) return keys;
  const onSelected = ON_SELECTED.flatMap((name) => keys.filter(([key]) => key === name));
  return [...onSelected, ...keys.filter((key) => !onSelected.includes(key))];
};

const pressInList = (view: View, press: Press): boolean => {
  const { context, state, window, height } = view;
  const { filter, cursor } = state.now;
  const total = window?.total ?? 0;
  if (runKey(listKeys(view), press)) return true;
  if (press.name === "escape") return clearSearch(context, state);
  if (press.name === "click") {
    const at = cursor.top + press.row - LOG_HEAD;
    if (press.row < LOG_HEAD || at >= total) return false;
    state.change(at === cursor.at ? { isOpen: true, detailTop: 0 } : { cursor: { ...cursor, at } });
    return true;
  }
  const letter = getLetter(press);
  if (letter === "n" && filter.text === "") return false;
  const move = letter === "n" ? "down" : letter === "N" ? "up" : moveOf(press);
  if (move === null) return false;
  state.change({ cursor: moveCursor(cursor, move, total, height) });
  return true;
};

/** Clears the search, or leaves the filters of another screen and returns to it. */
const clearSearch = (context: Context, state: Latest<State>): boolean => {
  const { filter } = state.now;
  const { asOf, ...visited } = filter.only;
  const isVisit = Object.keys(visited).length > 0;
  if (filter.text === "" && !isVisit && asOf === undefined) return false;
  state.change({ filter: isVisit ? NO_FILTER : { ...filter, text: "", only: {} }, cursor: AT_TOP });
  if (isVisit) context.goBack();
  return true;
};

const pressInDetail = (
  { context, state, window, height }: View,
  press: Press,
  keys: readonly KeyHint[],
  lines: number,
): boolean => {
  if (runKey(keys, press)) return true;
  const letter = getLetter(press);
  const move = moveOf(press);
  if (letter === "n" || letter === "N") {
    const to = letter === "n" ? "down" : "up";
    state.change({ cursor: moveCursor(state.now.cursor, to, window?.total ?? 0, height), pinned: null, detailTop: 0 });
  } else if (move !== null)
    state.change({ detailTop: scrollTop(state.now.detailTop, move, lines, context.size.height - 1) });
  else return false;
  return true;
};
