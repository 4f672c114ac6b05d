import type { App } from "../../app.ts";
import { AppError } from "../../domain/errors.ts";
import type { Asker } from "../../logbook/asker.ts";
import type { JobDocument } from "../../logbook/contract.ts";
import { importLog } from "../../logbook/runs.ts";

const LARGEST_UPLOAD = 1_073_741_824;
const LARGEST_FORM = 32 * 1_048_576;

/** Starts the import of what a request brings, as it comes. */
export const importUpload = async (
  app: App,
  asker: Asker,
  request: Request,
  { dryRun }: { dryRun?: boolean },
): Promise<JobDocument> => importLog(app, asker, limited(await bodyOf(request)), { dryRun });

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > LARGEST_UPLOAD) throw new AppError("too_large", "The file is larger than 1 GB.");
    yield chunk;
  }
}

const bodyOf = async (request: Request): Promise<AsyncIterable<Uint8Array>> => {
  const isForm = request.headers.get("content-type")?.startsWith("multipart/form-data");
  const body = isForm ? await fileOf(request) : request.body;
  if (!body) throw new AppError("invalid", "There is no file in this request.");
  return body as unknown as AsyncIterable<Uint8Array>;
};

const fileOf = async (request: Request): Promise<ReadableStream<Uint8Array> | null> => {
  if (Number(request.headers.get("content-length") ?? 0) > LARGEST_FORM) {
    throw new AppError(
      "too_large",
      "This form takes files up to 32 MB. Import a larger one with: qsolog qso import FILE",
    );
  }
  const file = (await request.formData()).get("file");
  return file instanceof Blob ? file.stream() : null;
};
