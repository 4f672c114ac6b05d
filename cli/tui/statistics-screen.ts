import { FIGURE_NAMES, FIGURE_TITLES } from "../../src/domain/statistics/log-figures.ts";
import { listCompletions } from "../../src/domain/contact/search-words.ts";
import { scrollTop } from "./cursor.ts";
import { renderProblem, UNSEEN, type Context, type Screen } from "./context.ts";
import { useLatest, type Latest } from "./use-latest.ts";
import { fitHeight, type Line, type Span } from "./line.ts";
import { usePoll } from "./use-poll.ts";
import { getLetter, moveOf, type Press } from "./keymap.ts";
import { typeInto } from "./prompt.ts";

interface State {
  at: number;
  top: number;
  search: string;
  /** The search that is being typed; null if none is. */
  typed: string | null;
}

const HEAD = 3;
const HINT = "h l other figure   j k scroll   / search   Ctrl-K go to   ? help   q quit";
const TYPING_HINT = "Enter count these   Tab complete   Esc cancel   Ctrl-U clear";

/** The figures of `stats --by`, one at a time, loaded on demand. */
export const useStatistics = (context: Context, isShown: boolean): Screen => {
  const { client, size } = context;
  const state = useLatest<State>({ at: 0, top: 0, search: "", typed: null });
  const { at, search, typed } = state.now;
  const name = FIGURE_NAMES[at]!;
  const width = size.width - 2;
  const { value, problem } = usePoll({
    subject: isShown ? JSON.stringify([name, search, width]) : null,
    version: `${context.version} ${context.refreshes}`,
    ask: async () => {
      const [{ drawFigure }, figure] = await Promise.all([
        import("../figures.ts"),
        client.figure(name, search === "" ? {} : { search }),
      ]);
      return drawFigure(name, figure as never, width).split("\n");
    },
  });
  if (!isShown) return UNSEEN;
  const height = size.height - HEAD;
  const rows = value ?? [];
  const top = Math.max(0, Math.min(state.now.top, rows.length - height));
  const shown: readonly Line[] =
    problem !== null
      ? renderProblem(problem, size).slice(1)
      : value === null
        ? [[["  Loading …", "quiet"]]]
        : rows.slice(top, top + height).map((row): Line => [` ${row}`]);
  return {
    lines: fitHeight([renderTitle(at, top, rows.length, height), renderSearch(state.now), [], ...shown], size.height),
    keys: (press) =>
      state.now.typed === null ? pressHere(state, press, rows.length, height) : type(state, state.now.typed, press),
    hint: typed === null ? HINT : TYPING_HINT,
  };
};

const renderTitle = (at: number, top: number, count: number, height: number): Line => [
  [` ${FIGURE_TITLES[FIGURE_NAMES[at]!]}`, "title"],
  [`   ${at + 1} of ${FIGURE_NAMES.length}`, "quiet"],
  [count > height ? `   rows ${top + 1} to ${Math.min(count, top + height)} of ${count}` : "", "quiet"],
];

const renderSearch = ({ search, typed }: State): Line => {
  const words: Span[] =
    typed !== null ? [typed, [" ", "chosen"]] : [search === "" ? ["all QSOs", "quiet"] : [search, "live"]];
  return [" ", ["/", "title"], " ", ...words];
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
