import { filterEntries, type PaletteEntry } from "../../src/domain/statistics/palette.ts";
import type { Context } from "./context.ts";
import { CARET, formatCell, wrapText, type Line } from "./line.ts";
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
  onPick(one: One): void;
}

/** The lines around the list: frame, input, description and keys. */
const AROUND = 6;
const INDENT = 8;
const MIN_LABEL_WIDTH = 34;
const SAYS = 36;

/** Lets the user pick one of many: typing narrows the list, arrows move, Enter picks. */
export const askToPick = <One extends Choice>(context: Context, picking: Picking<One>, typed = "", at = 0): void => {
  const { title, offers, meant, onPick } = picking;
  const found = [...filterEntries(offers, typed), ...(meant?.(typed) ?? [])];
  const place = Math.max(0, Math.min(at, found.length - 1));
  const room = Math.max(3, context.size.height - AROUND);
  const top = Math.max(0, Math.min(place - Math.floor(room / 2), found.length - room));
  const widest = (text: (one: One) => string, least: number) =>
    offers.reduce((most, one) => Math.max(most, Bun.stringWidth(text(one))), least);
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
  const rows = found.slice(top, top + room).map((one, index): Line => {
    const row = ` ${formatCell(one.label, label)} ${formatCell(one.says ?? "", says)} `;
    return [top + index === place ? [row, "chosen"] : row];
  });
  const isCut = Bun.stringWidth(found[place]?.says ?? "") > says;
  context.ask({
    title,
    lines: [
      [`> ${typed}`, CARET],
      [],
      ...(rows.length > 0 ? rows : [[[" No match.", "quiet"]] as Line]),
      ...(isCut ? wrapText(found[place]!.says!, label + says).slice(0, 1) : [""]).map((row): Line => [
        [` ${row}`, "quiet"],
      ]),
      [["Enter", "title"], " picks   ", ["Esc", "title"], " closes"],
    ],
    press(press) {
      const text = typeInto(typed, press);
      if (text !== null) return askToPick(context, picking, text);
      if (press.name === "up" || press.name === "down")
        return askToPick(context, picking, typed, place + (press.name === "up" ? -1 : 1));
      if (press.name === "pageUp" || press.name === "pageDown")
        return askToPick(context, picking, typed, place + (press.name === "pageUp" ? -room : room));
      const picked = found[place];
      if (press.name === "enter" && !picked) return;
      context.ask(null);
      if (press.name === "enter") onPick(picked!);
    },
  });
};
