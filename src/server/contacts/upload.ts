import type { App } from "../../app.ts";
import { AppError } from "../../kernel/errors.ts";
import type { LogCaller } from "../../logbook/caller.ts";
import type { JobDocument } from "../../logbook/contract.ts";
import { assertNoImport, importLog } from "../../logbook/job-actions.ts";
import { piecesOf } from "../http/body.ts";
import { boundaryOf, fileIn } from "../http/multipart.ts";

const MAX_UPLOAD_BYTES = 1_073_741_824;

/** Starts the import of what a request brings, as it comes; what cannot start is refused before it is read. */
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

/** As the request says it; what comes in pieces does not. */
const sizeOf = ({ headers }: Request): number | null => Number(headers.get("content-length") ?? 0) || null;

const fileOf = (request: Request, count: (bytes: number) => void): AsyncIterable<Uint8Array> => {
  if ((sizeOf(request) ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge();
  const boundary = boundaryOf(request.headers.get("content-type"));
  if (!request.body) throw new AppError("invalid", "The request contains no file.");
  const body = counted(piecesOf(request.body), count);
  return boundary === null ? body : fileIn(body, boundary, "file");
};

/** Each piece is good until the next is asked for. What a request says of its own length is believed only where it is too much. */
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
