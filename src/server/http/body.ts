import { AppError } from "../../kernel/errors.ts";
import { endBody, extendBody } from "./connection.ts";

const MAX_BYTES = 1_048_576;
/** Far more than any route needs. */
const DEEPEST = 50;
const MAX_PARTS = 5_000;

const tooLarge = (): AppError => new AppError("too_large", "The request body is larger than 1 MB.");

/** The chunks of a request's body. A body that stops in the middle is an error of the client. */
export async function* piecesOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
      extendBody(request);
      yield piece;
    }
    endBody(request);
  } catch (cause) {
    throw new AppError("invalid", "The request body was cut off.", { cause });
  }
}

/** The text of a body, counted while it arrives. A declared length counts only if it is too large. */
export const limitedText = async (request: Request): Promise<string> => {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of piecesOf(request)) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

/** An empty body counts as an empty object. */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await limitedText(request);
  if (text.trim() === "") return {};
  const { deepest, parts } = measureOf(text);
  if (deepest > DEEPEST) throw new AppError("invalid", "The JSON in the request body is nested too deeply.");
  if (parts > MAX_PARTS) throw new AppError("invalid", `The request body has more than ${MAX_PARTS} parts.`);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError("invalid", "The request body is not valid JSON.");
  }
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** `[` and `{`, `]` and `}` differ in the same bit. */
const IGNORED_BIT = 0x20;
const OPENS = 0x7b;
const CLOSES = 0x7d;

/** The depth of a JSON text and the number of its values. Checking it later takes as many steps. */
const measureOf = (text: string): { deepest: number; parts: number } => {
  let [depth, deepest, parts, isText] = [0, 0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if ((code | IGNORED_BIT) === OPENS) deepest = Math.max(deepest, ++depth);
    else if ((code | IGNORED_BIT) === CLOSES) depth -= 1;
    else if (code === COMMA) parts += 1;
  }
  return { deepest, parts };
};
