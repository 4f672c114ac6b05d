import { AppError } from "../domain/errors.ts";

const MOST_BYTES = 1_048_576;

const tooLarge = (): AppError => new AppError("too_large", "The body is larger than 1 MB.");

/** The text of a body, counted while it comes: what it says of its own length is believed only where it is too much. */
export const limitedText = async (request: Request): Promise<string> => {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  if (!request.body) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

/** No body is an empty object. */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await limitedText(request);
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new AppError("invalid", "The body is not valid JSON.");
  }
};
