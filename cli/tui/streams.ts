import { toAsciiCells } from "../wrap.ts";
import type { Press } from "./keymap.ts";

/** Reports clicks and the wheel, with decimal columns and rows (SGR mode). */
export const MOUSE_ON = "\x1b[?1000h\x1b[?1006h";
export const MOUSE_OFF = "\x1b[?1006l\x1b[?1000l";

/** Receives mouse events. */
export interface Mouse {
  hear: ((all: readonly Press[]) => void) | null;
}

/** The terminal's report: button, position, and press or release. */
const TOLD = /\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])/g;
const WHEEL: Readonly<Record<string, Press>> = { 64: { name: "up" }, 65: { name: "down" } };
const ROWS_A_TURN = 3;

/** Removes mouse reports from the input, because Ink's key parser would drop them. */
export const addMouse = (stream: NodeJS.ReadStream, mouse: Mouse): NodeJS.ReadStream =>
  replaceMethod(stream, "read", (size?: number) => {
    const read: unknown = stream.read(size);
    if (read === null) return null;
    const presses: Press[] = [];
    const keys = String(read).replaceAll(TOLD, (_, button: string, column: string, row: string, end: string) => {
      presses.push(...toMousePresses(button, Number(column) - 1, Number(row) - 1, end === "M"));
      return "";
    });
    mouse.hear?.(presses);
    return keys;
  });

const toMousePresses = (button: string, column: number, row: number, isPress: boolean): Press[] => {
  if (!isPress) return [];
  if (button === "0") return [{ name: "click", column, row }];
  const turn = WHEEL[button];
  return turn ? Array.from({ length: ROWS_A_TURN }, () => turn) : [];
};

/** Output for a terminal that only supports ASCII. */
export const wrapInAscii = (stream: NodeJS.WriteStream): NodeJS.WriteStream =>
  replaceMethod(stream, "write", (text: string | Uint8Array, ...others: []) =>
    stream.write(typeof text === "string" ? toAsciiCells(text) : text, ...others),
  );

/** The same stream with another method of this name. */
const replaceMethod = <Stream extends NodeJS.ReadStream | NodeJS.WriteStream>(
  stream: Stream,
  method: "read" | "write",
  replacement: unknown,
): Stream =>
  new Proxy(stream, {
    get(target, name) {
      if (name === method) return replacement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
