import { rmSync } from "node:fs";
import type { App } from "../../app.ts";
import { AppError } from "../../domain/errors.ts";
import type { SyncJob } from "../../domain/sync-job.ts";
import { spoolImport } from "../../sync/source/spool.ts";
import { startImport } from "../../sync/source/file.ts";

const LARGEST_UPLOAD = 1_073_741_824;
const LARGEST_FORM = 32 * 1_048_576;

/** Starts the import of what a request brings. */
export const importUpload = async (
  app: App,
  userId: number,
  request: Request,
  dryRun: boolean | undefined,
): Promise<SyncJob> => {
  const path = await spoolUpload(app, request);
  try {
    const job = await startImport(app, app.runner, { userId, path, trigger: "manual", dryRun });
    void app.runner.end(job.id).finally(() => rmSync(path, { force: true }));
    return job;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
};

/** Keeps what is sent in a file of its own: the job reads it when the request is long over. */
const spoolUpload = async (app: App, request: Request): Promise<string> => {
  const body = await bodyOf(request);
  try {
    return await spoolImport(app.config.dataDir, limited(body));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    throw new AppError("unavailable", "The disk of the server is full.");
  }
};

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
    throw new AppError("too_large", "A form may bring 32 MB. Send a larger file as the body of the request.");
  }
  const file = (await request.formData()).get("file");
  return file instanceof Blob ? file.stream() : null;
};
