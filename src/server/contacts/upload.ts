import type { App } from "../../app.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { JobDocument } from "../../logbook/contract.ts";
import { assertNoImport, importLog } from "../../logbook/job-actions.ts";
import { piecesOf } from "../http/body.ts";
import { boundaryOf, fileIn } from "../http/multipart.ts";

const MAX_UPLOAD_BYTES = 1_073_741_824;

/**
 * Starts the import of a request's body while it arrives. An import that cannot start is refused before the body is
 * read.
 */
export const importUpload = (
  app: App,
  asker: LogCaller,
  request: Request,
  { dryRun }: { dryRun?: boolean },
): Promise<JobDocument> =>
  app.uploads.one(
    asker.owner.id,
    async (count) => {
      await assertNoImport(app, asker);
      return importLog(app, asker, fileOf(request, count), { dryRun });
    },
    sizeOf(request),
  );

/** Null for a chunked body. */
const sizeOf = ({ headers }: Request): number | null => Number(headers.get("content-length") ?? 0) || null;

const fileOf = (request: Request, count: (bytes: number) => void): AsyncIterable<Uint8Array> => {
  if ((sizeOf(request) ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (!request.body) throw new AppError("invalid", "The request contains no file.");
  const body = counted(piecesOf(request), count);
  return boundary === null ? body : fileIn(body, boundary, "file");
};

/** Each chunk is valid until the next one is read. A declared length counts only if it is too large. */
async function* counted(body: AsyncIterable<Uint8Array>, count: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_UPLOAD_BYTES) throw tooLarge();
    count(piece.length);
    yield piece;
  }
}

const tooLarge = (): AppError => new AppError("too_large", "The file is larger than 1 GB.");
