import { AppError } from "../../kernel/errors.ts";
import { limitedText } from "../http/body.ts";

/** The body of a program, read leniently: programs put unescaped line ends into texts. */
export const readFields = async (request: Request): Promise<Record<string, unknown>> => {
  const text = await limitedText(request);
  const value = text.trim() === "" ? {} : parsed(text);
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new AppError("invalid", "The request body is not a JSON object.");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return JSON.parse(withEscapes(text));
    } catch {
      throw new AppError("invalid", "The request body is not valid JSON.");
    }
  }
};

const FIRST_PRINTABLE = 0x20;

/** Escapes control characters within texts, as JSON requires. */
const withEscapes = (text: string): string => {
  let [escaped, isText, isSkipped] = ["", false, false];
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    escaped += isText && code < FIRST_PRINTABLE ? `\\u${code.toString(16).padStart(4, "0")}` : letter;
    if (isSkipped) isSkipped = false;
    else if (letter === "\\") isSkipped = isText;
    else if (letter === '"') isText = !isText;
  }
  return escaped;
};

/** A text, or a number as text. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;

/** The same without blanks around it, if anything is left. */
export const wordIn = (value: unknown): string | undefined => textIn(value)?.trim() || undefined;

/** A whole number of at least 0, as number or text. */
export const countIn = (value: unknown): number | undefined => {
  const text = wordIn(value);
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/** A frequency in Hz or a power, as number or text. */
export const numberIn = (value: unknown): number | null => {
  const number = Number(textIn(value) ?? Number.NaN);
  return Number.isFinite(number) && number > 0 ? number : null;
};
