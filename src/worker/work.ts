import { makeWork, useWork } from "../auth/factors/passkeys.ts";
import { deriveWork } from "../contacts/derive-again.ts";
import { countryTablesWork } from "../callsign/country-tables.ts";
import { commonPasswordWork } from "../people/common-passwords.ts";
import { removeSlice } from "../people/users.ts";
import { awardsWork } from "../awards/book.ts";
import type { Work } from "../storage/engine/database.ts";
import { gainsWork } from "../awards/gains.ts";
import { needWork } from "../awards/need.ts";
import { workedWork } from "../awards/worked.ts";
import { figuresWork } from "../storage/log/log-figures.ts";
import { listWork, pageWork, surveyWork } from "../storage/log/qso-list.ts";
import { countAfterWork } from "../storage/log/large-log.ts";
import { findDuplicatesWork } from "../sync/duplicates/find.ts";
import { countClassesWork, listClassWork } from "../sync/reconcile/scan.ts";
import { previewRepairWork } from "../sync/repair/preview.ts";
import { sliceWork } from "../sync/repair/slice.ts";
import { activityWork, statisticsWork } from "../storage/log/statistics.ts";
import { previewWork, rollBackWork } from "../sync/undo/rollback.ts";

type AnyWork = Work<any, any, any>;

/** Everything that can run in a worker thread. */
export const BACKGROUND_WORK: readonly AnyWork[] = [
  removeSlice,
  deriveWork,
  countAfterWork,
  commonPasswordWork,
  useWork,
  makeWork,
  countryTablesWork,
  rollBackWork,
  previewWork,
  sliceWork,
  previewRepairWork,
  findDuplicatesWork,
  countClassesWork,
  listClassWork,
  statisticsWork,
  activityWork,
  figuresWork,
  listWork,
  surveyWork,
  pageWork,
  awardsWork,
  gainsWork,
  workedWork,
  needWork,
];
