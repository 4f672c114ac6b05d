import type { Command } from "commander";
import {
  hasMatrix,
  describeModeUnknown,
  WITNESSES,
  type Asked,
  type AwardDetail,
  type AwardMatrix,
  type Cell,
  type Progress,
  type Slot,
  type SlotName,
  type Witness,
} from "../../src/domain/awards/award.ts";
import { describeConfirmer, describeWitness } from "../../src/domain/awards/award-words.ts";
import { AppError } from "../../src/kernel/errors.ts";
import type { OwnLocation } from "../../src/domain/radio/own-place.ts";
import { formatCount, formatPlural } from "../../src/kernel/number-text.ts";
import { stripControlCharacters } from "../../src/kernel/control-characters.ts";
import { formatCards } from "../../src/domain/awards/card-words.ts";
import type { NeededDocument } from "../../src/logbook/contract.ts";
import { withLog } from "../open-log.ts";
import type { Flags, Shell } from "../shell.ts";
import { describeLog, AS_OF } from "../log-options.ts";
import { formatTable, right, shrinking } from "../table.ts";
import { assertKnown } from "../values.ts";
import { toContractWord, SERVICE_WORDS, shortenBand } from "../words.ts";
import { wrapText } from "../wrap.ts";

type AwardFlags = Flags & { [Name in keyof Asked]?: string } & { csv?: boolean; asOf?: string };

export const register = (program: Command, shell: Shell): void => {
  shell
    .command(
      program,
      "awards [award] [needed]",
      "show awards, one award, what is still needed, or the cards to submit",
      [
        "qsolog awards",
        "qsolog awards dxcc --band 20m --by any",
        "qsolog awards was needed --user bob",
        "qsolog awards dxcc cards --csv",
      ],
    )
    .option("--band <band>", "only this band, or sat")
    .option("--group <group>", "only cw, phone, digital or image; for waz also ssb, am or rtty")
    .option(
      "--by <confirmer>",
      `which confirmations count: sponsor (${describeConfirmer("sponsor")}), ${SERVICE_WORDS.join(", ")}, card or any`,
    )
    .option("--station <calls>", "only QSOs of this station callsign; several separated by commas")
    .option(...AS_OF)
    .option("--csv", "print the cards to submit as CSV")
    .option("--location <place>", "only QSOs made from this entity (DXCC number) or grid square")
    .action((award: string | undefined, word: string | undefined, flags: AwardFlags) =>
      show(shell, award, word, flags),
    );
};

const show = (shell: Shell, award: string | undefined, word: string | undefined, flags: AwardFlags): Promise<void> =>
  withLog(shell, flags, { writes: false }, async (log) => {
    if (word !== undefined && word !== "needed" && word !== "cards") {
      throw new AppError("invalid", `Only "needed" or "cards" can follow the award, not ${JSON.stringify(word)}.`);
    }
    if (award === undefined && (flags.band ?? flags.group) !== undefined) {
      throw new AppError(
        "invalid",
        "Use --band and --group with one award, for example: qsolog awards dxcc --band 20m.",
      );
    }
    const { band, group, station, location, asOf } = flags;
    assertKnown("--by", "confirmer", flags.by);
    const asked = { band, group, station, location, asOf, by: flags.by && toContractWord(flags.by) };
    if (award === undefined) {
      const overview = await log.awards(asked);
      return shell.answer(overview, () =>
        describeLog(overview, station, () =>
          [
            ...describeMadeFrom(overview.awards[0]?.from ?? null, overview.locations),
            formatOverview(overview.awards, shell),
          ].join("\n"),
        ),
      );
    }
    if (word === "needed") {
      const needed = await log.needed(award, asked);
      return shell.answer(needed, () => describeLog(needed, station, () => formatNeeded(needed, shell)));
    }
    if (word === "cards") {
      const document = await log.cards(award, asked);
      return shell.answer(document, () =>
        stripControlCharacters(formatCards(flags.csv ? "csv" : "text", document).text.trimEnd()),
      );
    }
    const detail = await log.award(award, asked);
    const matrix = detail.band === null && hasMatrix(detail) ? await log.matrix(award, asked) : null;
    const words = () =>
      [formatSummary(detail), "", matrix ? formatMatrix(matrix, shell) : formatSlots(detail.slots, shell)].join("\n");
    shell.answer(detail, () => describeLog(detail, station, words));
  });

const nameOf = (witness: Witness): string => describeWitness(witness);

/** The unit in the singular: only its first plural changes. */
const formatUnit = (count: number, unit: string): string =>
  count === 1
    ? unit.replace(/entities|prefixes|(state|zone|continent|square|group)s/, (word, one) => one ?? ONE_OF[word])
    : unit;

const ONE_OF: Record<string, string> = { entities: "entity", prefixes: "prefix" };

const formatOverview = (awards: readonly Progress[], shell: Shell): string => {
  const figures = ["WORKED", "CONF", ...WITNESSES.map((one) => nameOf(one).toUpperCase()), "GOAL", "NEXT"];
  const columns = ["AWARD", shrinking("COUNTS"), ...figures.map(right)];
  const rows = awards.map(({ label, unit, of, worked, confirmed, confirmedBy, goal, next }) => [
    label,
    of === null ? unit : `${unit} (${of})`,
    worked,
    confirmed,
    ...WITNESSES.map((one) => confirmedBy[one]),
    goal,
    next,
  ]);
  const missing = awards.flatMap(({ label, modeUnknown }) => {
    const words = describeMissingModes(modeUnknown);
    return words === null ? [] : [`${label}: ${words}`];
  });
  const { width } = shell.terminal;
  const ids = `One award: qsolog awards ID, with ${awards.map(({ id }) => id).join(", ")}.`;
  return [formatTable(columns, rows, width), ...missing, wrapText(ids, width)].join("\n");
};

const describeMissingModes = (modeUnknown: number | null): string | null => describeModeUnknown(modeUnknown);

/** The place of the figures, if there are several. */
const describeMadeFrom = (from: OwnLocation | null, locations: readonly OwnLocation[]): string[] => {
  if (from === null || locations.length < 2) return [];
  const others = locations.filter(({ location }) => location !== from.location);
  const named = others.map(({ location, label, contacts }) => `${label} ${contacts} (--location ${location})`);
  return [`Made from ${from.label}: ${formatCount(from.contacts, "QSO")}. Also from ${named.join(", ")}.`];
};

const formatSummary = (award: AwardDetail): string => {
  const { label, unit, sponsor, accepts, worked, confirmed, confirmedBy, credited, goal, next, parts, uncounted } =
    award;
  const view = [award.band, award.group, award.station].filter((word) => word !== null).join(", ");
  const by =
    award.by === "sponsor" ? `${sponsor} accepts ${accepts.map(nameOf).join(" and ")}` : describeConfirmer(award.by);
  return [
    ...describeMadeFrom(award.from, award.locations),
    `${label}${view && `, ${view}`}: ${worked} ${formatUnit(worked, unit)} worked, ${confirmed} confirmed (${by}), ${credited} credited.`,
    `Confirmed by ${WITNESSES.map((one) => `${nameOf(one)} ${confirmedBy[one]}`).join(", ")}, any ${confirmedBy.any}.`,
    goal === null
      ? "No award exists for these. They are only counted."
      : `Goal ${goal}${next === null ? ", reached" : `, next step ${next}`}.`,
    ...(parts.length === 0 ? [] : [parts.map((part) => `${part.name} ${part.confirmed}/${part.worked}`).join(" · ")]),
    ...[describeMissingModes(award.modeUnknown) ?? []].flat(),
    ...(uncounted && uncounted.unknownEntity + uncounted.notValid > 0
      ? [
          `Not counted: ${uncounted.unknownEntity} ${formatPlural(uncounted.unknownEntity, "QSO")} without a known entity, ${uncounted.notValid} outside the dates of their entity.`,
        ]
      : []),
  ].join("\n");
};

const LETTERS: Record<Cell, string> = { confirmed: "C", worked: "W" };
const NEEDED = "·";
const formatCell = (cell: Cell | null): string => (cell ? LETTERS[cell] : NEEDED);

const COLOURS: Record<string, string> = { C: "\x1b[32m", W: "\x1b[33m", [NEEDED]: "\x1b[2m" };
const PLAIN = "\x1b[0m";

const LABEL_WIDTH = 16;
const GAP = 2;

const formatMatrix = ({ bands, rows, totals }: AwardMatrix, { terminal }: Shell): string => {
  if (rows.length === 0) return "Nothing worked yet.";
  const titles = ["MIX", ...bands.map(shortenBand)];
  let shown = titles.length;
  const width = () => titles.slice(0, shown).reduce((sum, title) => sum + GAP + title.length, LABEL_WIDTH);
  while (shown > 1 && width() > terminal.width) shown -= 1;
  const columns = [shrinking(""), ...titles.slice(0, shown).map(right)];
  const cells = rows.map(({ label, mixed, cells: onBands }) => [
    label,
    ...[mixed, ...onBands].slice(0, shown).map(formatCell),
  ]);
  const sums = (["confirmed", "worked"] as const).map((state) => [
    state,
    ...totals.slice(0, shown).map((total) => total[state]),
  ]);
  const lines = formatTable(columns, [...cells, ...sums], terminal.width).split("\n");
  const painted = terminal.hasColour ? lines.map((line) => line.replace(/(?<! | [CW·])( +[CW·])+$/, paint)) : lines;
  const hidden = bands.slice(shown - 1);
  return [
    ...painted,
    "C confirmed, W worked, · needed",
    ...(hidden.length > 0
      ? [`Hidden because the terminal is too narrow: ${hidden.join(", ")}. Widen it, or use --band.`]
      : []),
  ].join("\n");
};

const paint = (cells: string): string => cells.replace(/[CW·]/g, (sign) => `${COLOURS[sign]}${sign}${PLAIN}`);

const formatSlots = (slots: readonly Slot[], { terminal }: Shell): string => {
  if (slots.length === 0) return "Nothing worked yet.";
  const columns = ["", "KEY", shrinking("NAME"), "BAND", "GROUP", "CONFIRMED BY", right("QSO")];
  const rows = slots.map(({ key, label, band, group, worked, confirmed, confirmedBy, credited, qsoId }) => [
    formatCell(confirmed ? "confirmed" : worked ? "worked" : null),
    key,
    label === String(key) ? "" : label,
    band,
    group,
    [...WITNESSES.filter((witness) => confirmedBy[witness]).map(nameOf), ...(credited ? ["credited"] : [])].join(" "),
    qsoId,
  ]);
  const lines = formatTable(columns, rows, terminal.width).split("\n");
  return (terminal.hasColour ? lines.map((line) => line.replace(/^[CW·]/, paint)) : lines).join("\n");
};

const formatNeeded = (needed: NeededDocument, { terminal }: Shell): string => {
  const { label, by, modeUnknown, complete, neverWorked, notConfirmed } = needed;
  const name = ({ key, label: words, band, group }: SlotName) => [key, words === String(key) ? "" : words, band, group];
  const titles = ["KEY", shrinking("NAME"), "BAND", "GROUP"];
  const open = notConfirmed.map((slot) => [...name(slot), slot.confirmedElsewhere.map(nameOf).join(" "), slot.qsoId]);
  return [
    `${label}: worked, but not confirmed (${describeConfirmer(by)}): ${notConfirmed.length}`,
    ...[describeMissingModes(modeUnknown) ?? []].flat(),
    ...(open.length === 0 ? [] : [formatTable([...titles, "CONFIRMED BY", right("QSO")], open, terminal.width)]),
    "",
    ...(!complete
      ? ["Never worked: no complete list exists."]
      : [
          `Never worked: ${neverWorked.length}`,
          ...(neverWorked.length === 0 ? [] : [formatTable(titles, neverWorked.map(name), terminal.width)]),
        ]),
  ].join("\n");
};
