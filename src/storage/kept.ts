import { AppError } from "../domain/errors.ts";

/** Keeps what was counted for who asks next. Who only asks need not wait until the database takes writes: it is counted again. */
export const keepIfIdle = async (keep: () => Promise<void>): Promise<void> => {
  try {
    await keep();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
  }
};
