import { filterEntries, type PaletteEntry } from "../../../src/domain/statistics/palette.ts";
import { renderKeyLine, type Context } from "../context.ts";
import { formatCell } from "../../table.ts";
import { CARET, wrapText, type Line } from "../line.ts";
import type { Press } from "../keymap.ts";
import { typeInto } from "./prompt.ts";

/** An entry with its description. */
export interface Choice extends PaletteEntry {
  says?: string;
}

interface Picking<One extends Choice> {
  title: string;
  offers: readonly One[];
  /** Additional entries for the typed text. */
  meant?: (typed: string) => readonly One[];
  /** The same where they have to be loaded. */
  search?: (typed: string) => Promise<readonly One[]>;
  onPick(one: One): void;
}

/** The lines around the list: frame, input, description and keys. */
const AROUND = 6;
const INDENT = 8;
const MIN_LABEL_WIDTH = 34;
const SAYS = 36;

/** Waits with a search until typing pauses. */
const SEARCH_DELAY_MS = 100;

/** Lets the user pick one of many: typing narrows the list, arrows move, Enter picks. */
export const askToPick = <One extends Choice>(context: Context, picking: Picking<One>): void => {
  const { title, offers, meant, search, onPick } = picking;
  let state = { typed: "", at: 0, found: [] as readonly One[] };
  let isOpen = true;
  let timer: Timer | undefined;
  const change = (part: Partial<typeof state>) => {
    state = { ...state, ...part };
    if (isOpen) context.ask({ title, lines: render(), press });
  };
  const list = () => {
    const { typed, found } = state;
    return [...filterEntries(offers, typed), ...found, ...(meant?.(typed) ?? [])];
  };
  const type = (typed: string) => {
    clearTimeout(timer);
    if (search) timer = setTimeout(load, typed === "" ? 0 : SEARCH_DELAY_MS);
    change({ typed, at: 0, found: [] });
  };
  const load = () => {
    const { typed } = state;
    search!(typed).then(
      (found) => typed === state.typed && change({ found, at: state.at === 0 ? 0 : state.at + found.length }),
      context.fail,
    );
  };
  const getRoom = () => Math.max(3, context.size.height - AROUND);
  const render = () => renderPicker(context, list(), { ...state, room: getRoom() });
  const press = (one: Press): void => {
    const all = list();
    const place = Math.max(0, Math.min(state.at, all.length - 1));
    const text = typeInto(state.typed, one);
    if (text !== null) return type(text);
    const step = { up: -1, down: 1, pageUp: -getRoom(), pageDown: getRoom() }[one.name as string];
    if (step !== undefined) return change({ at: Math.max(0, Math.min(place + step, all.length - 1)) });
    const picked = all[place];
    if (one.name === "enter" && !picked) return;
    isOpen = false;
    clearTimeout(timer);
    context.ask(null);
    if (one.name === "enter") onPick(picked!);
  };
  type("");
};

const renderPicker = <One extends Choice>(
  context: Context,
  all: readonly One[],
  { typed, at, room }: { typed: string; at: number; room: number },
): Line[] => {
  const place = Math.max(0, Math.min(at, all.length - 1));
  const top = Math.max(0, Math.min(place - Math.floor(room / 2), all.length - room));
  const widest = (text: (one: One) => string, least: number) =>
    all.reduce((most, one) => Math.max(most, Bun.stringWidth(text(one))), least);
  const label = Math.min(
    widest(({ label }) => label, MIN_LABEL_WIDTH),
    context.size.width - INDENT,
  );
  const says = Math.max(
    0,
    Math.min(
      widest((one) => one.says ?? "", SAYS),
      context.size.width - label - INDENT,
    ),
  );
  const rows = all.slice(top, top + room).map((one, index): Line => {
    const row = ` ${formatCell(one.label, label)} ${formatCell(one.says ?? "", says)} `;
    return [top + index === place ? [row, "chosen"] : row];
  });
  const isCut = Bun.stringWidth(all[place]?.says ?? "") > says;
  return [
    [`> ${typed}`, CARET],
    [],
    ...(rows.length > 0 ? rows : [[[" No match.", "quiet"]] as Line]),
    ...(isCut ? wrapText(all[place]!.says!, label + says).slice(0, 1) : [""]).map((row): Line => [
      [` ${row}`, "quiet"],
    ]),
    renderKeyLine(["Enter", "picks"], ["Esc", "closes"]),
  ];
};
