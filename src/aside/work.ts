import { removeSlice } from "../admin/users.ts";
import type { AsideWork } from "../storage/database.ts";

/** Everything that may run in the second thread. */
export const ASIDE_WORK: readonly AsideWork<never, unknown>[] = [removeSlice];
