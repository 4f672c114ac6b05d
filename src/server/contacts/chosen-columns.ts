import type { Config } from "../../config.ts";
import { DAY } from "../../kernel/clock.ts";
import { findColumns, USUAL_COLUMNS } from "../../../views/partials/contacts/log-columns.ts";
import { cookie, cookiesOf } from "../http/cookies.ts";

type Placed = Pick<Config, "baseUrl">;

const COLUMNS_COOKIE = "qsolog_columns";
const REMEMBERED = 365 * DAY;

/** The columns of the log that this browser shows. */
export const columnsOf = (config: Placed, request: Request): readonly string[] => {
  const [kept] = cookiesOf(config, request, COLUMNS_COOKIE);
  return kept === undefined ? USUAL_COLUMNS : findColumns(kept.split(".")).map(({ name }) => name);
};

export const rememberColumns = (config: Placed, names: readonly string[]): string =>
  cookie(config, COLUMNS_COOKIE, names.length === 0 ? "none" : names.join("."), REMEMBERED);
