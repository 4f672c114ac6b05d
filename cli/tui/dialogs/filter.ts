import { formatCount } from "../../../src/kernel/number-text.ts";
import { listCompletions } from "../../../src/domain/contact/search-words.ts";
import type { Context } from "../context.ts";
import { askToPick, type Choice } from "./picker.ts";

interface Token extends Choice {
  token: string;
  /** The log as of the end of this day. */
  asOf?: string;
}

/** Asks for a filter: offers what the log has, and any entity, day or own callsign that is typed. */
export const askForFilter = (context: Context, onPick: (token: Pick<Token, "token" | "asOf">) => void): void => {
  context.client.stats().then(({ byYear, byBand, byMode }) => {
    const offer = (token: string, total: number, also: string): Token => ({
      label: token,
      token,
      also,
      says: formatCount(total, "QSO"),
    });
    askToPick<Token>(context, {
      title: "Only QSOs of",
      offers: [
        ...byYear.toReversed().map(({ year, total }) => offer(String(year), total, "year date")),
        ...byBand.map(({ band, total }) => offer(band, total, "band")),
        ...byMode.map(({ mode, total }) => offer(mode.toLowerCase(), total, "mode")),
      ],
      meant: parseTypedTokens,
      onPick,
    });
  }, context.fail);
};

const MAX_ENTITIES = 8;
const DAYS = /^\d{4}-\d\d(-\d\d)?$|^\d{4}\.\.|\.\.\d{4}/;
const DAY = /^\d{4}-\d\d-\d\d$/;

const parseTypedTokens = (typed: string): Token[] => {
  const words = typed.trim();
  if (words === "") return [{ label: "type an entity, a day or a station callsign", token: "" }];
  const entities = listCompletions(`dxcc:${words.replaceAll(/\s+/g, "-")}`).slice(0, MAX_ENTITIES);
  return [
    ...entities.map((token) => ({ label: token, token, says: "entity" })),
    ...(DAYS.test(words) ? [{ label: words, token: words, says: "days" }] : []),
    ...(DAY.test(words) ? [{ label: `the log as of ${words}`, token: "", asOf: words }] : []),
    ...(/^[\w/]{3,}$/.test(words) && /\d/.test(words)
      ? [
          { label: `station:${words}`, token: `station:${words}`, says: "station callsign" },
          { label: `${words}*`, token: `${words}*`, says: "callsigns starting with this" },
        ]
      : []),
  ];
};
