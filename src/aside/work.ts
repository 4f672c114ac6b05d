import { removeSlice } from "../people/users.ts";
import { awardsAside } from "../awards/book.ts";
import type { AsideWork } from "../storage/database.ts";
import { gainsAside } from "../awards/gains.ts";
import { statisticsAside } from "../storage/statistics.ts";
import { previewAside, rollBackAside } from "../sync/cancel.ts";

type AnyWork = AsideWork<any, any, any>;

/** Everything that may run in the second thread. */
export const ASIDE_WORK: readonly AnyWork[] = [
  removeSlice,
  rollBackAside,
  previewAside,
  statisticsAside,
  awardsAside,
  gainsAside,
];
