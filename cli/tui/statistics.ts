import { FIGURE_NAMES, FIGURE_TITLES, type FigureName } from "../../src/domain/statistics/log-figures.ts";
import { listCompletions } from "../../src/domain/contact/search-words.ts";
import { scrollTop } from "./cursor.ts";
import { renderKey, renderNoAnswer, UNSEEN, type Context, type KeyHint, type Screen } from "./context.ts";
import { useLatest, usePoll, type Latest } from "./hooks.ts";
import { CARET, fitHeight, fitLine, splitWidth, type Line, type Span } from "./line.ts";
import { getLetter, moveOf, type Press } from "./keymap.ts";
import { typeInto } from "./dialogs/prompt.ts";

interface State {
  at: number;
  top: number;
  search: string;
  /** The search that is being typed; null if none is. */
  typed: string | null;
}

const HEAD = 3;
const HINTS: readonly KeyHint[] = [
  ["h l", "other figure"],
  ["j k", "scroll"],
  ["/", "search"],
];
const TYPING_HINTS: readonly KeyHint[] = [
  ["Enter", "count these"],
  ["Tab", "complete"],
  ["Esc", "cancel"],
  ["Ctrl-U", "clear"],
];

/** The figures of `stats --by`, one at a time, two on wide terminals, loaded on demand. */
export const useStatistics = (context: Context, isShown: boolean): Screen => {
  const { client, size, isPlain } = context;
  const state = useLatest<State>({ at: 0, top: 0, search: "", typed: null });
  const { at, search, typed } = state.now;
  const columns = isPlain || splitWidth(size) === null ? 1 : 2;
  const names = Array.from({ length: columns }, (_, index) => FIGURE_NAMES[(at + index) % FIGURE_NAMES.length]!);
  const columnWidth = Math.floor(size.width / columns);
  const { value, problem } = usePoll({
    subject: isShown ? JSON.stringify([names, search, columnWidth]) : null,
    version: context.version,
    ask: async () => {
      const { drawFigure } = await import("../figures.ts");
      const draw = async (name: FigureName): Promise<string[]> => {
        const figure = await client.figure(name, { search: search || undefined });
        return drawFigure(name, figure as never, columnWidth - 2, isPlain).split("\n");
      };
      return Promise.all(names.map(draw));
    },
  });
  if (!isShown) return UNSEEN;
  const height = size.height - HEAD;
  const rows = value ?? [];
  const count = Math.max(0, ...rows.map(({ length }) => length));
  const top = Math.max(0, Math.min(state.now.top, count - height));
  const shown: readonly Line[] =
    problem !== null || value === null
      ? renderNoAnswer(problem, size).slice(1)
      : Array.from({ length: Math.min(height, count - top) }, (_, row): Line =>
          rows.flatMap((lines) => fitLine([` ${lines[top + row] ?? ""}`], columnWidth)),
        );
  return {
    lines: fitHeight(
      [
        renderTitle(at, names, columnWidth, { top, count, height }),
        renderSearch(state.now, context.hasLetterKeys),
        [],
        ...shown,
      ],
      size.height,
    ),
    keys: (press) =>
      state.now.typed === null ? pressHere(state, press, count, height) : type(state, state.now.typed, press),
    hints: typed === null ? HINTS : TYPING_HINTS,
    isTyping: typed !== null,
  };
};

interface Visible {
  top: number;
  count: number;
  height: number;
}

const renderTitle = (at: number, names: readonly FigureName[], width: number, { top, count, height }: Visible): Line =>
  names.flatMap((name, index) => {
    const rows =
      count > height && index === 0 ? `   rows ${top + 1} to ${Math.min(count, top + height)} of ${count}` : "";
    const place = ((at + index) % FIGURE_NAMES.length) + 1;
    return fitLine(
      [
        [` ${FIGURE_TITLES[name]}`, "title"],
        [`   ${place} of ${FIGURE_NAMES.length}${rows}`, "quiet"],
      ],
      width,
    );
  });

const renderSearch = ({ search, typed }: State, hasLetterKeys: boolean): Line => {
  const words: Span[] = typed !== null ? [typed, CARET] : [search === "" ? ["all QSOs", "quiet"] : [search, "live"]];
  return [" ", ...renderKey("/", typed !== null || hasLetterKeys), ...words];
};

const type = (state: Latest<State>, typed: string, press: Press): boolean => {
  const text = typeInto(typed, press);
  if (text !== null) state.change({ typed: text });
  else if (press.name === "tab") state.change({ typed: listCompletions(typed)[0] ?? typed });
  else if (press.name === "enter") state.change({ search: typed.trim(), typed: null, top: 0 });
  else if (press.name === "escape") state.change({ typed: null });
  else return false;
  return true;
};

const pressHere = (state: Latest<State>, press: Press, count: number, height: number): boolean => {
  const { at, top, search } = state.now;
  const turnBy = (step: number) =>
    state.change({ at: (at + step + FIGURE_NAMES.length) % FIGURE_NAMES.length, top: 0 });
  const move = moveOf(press);
  if (getLetter(press) === "/") state.change({ typed: search });
  else if (press.name === "escape" && search !== "") state.change({ search: "", top: 0 });
  else if (move === "right" || move === "left") turnBy(move === "right" ? 1 : -1);
  else if (move !== null) state.change({ top: scrollTop(top, move, count, height) });
  else return false;
  return true;
};
