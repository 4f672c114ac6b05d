import { parseBand } from "../../../src/domain/radio/band.ts";
import { MINUTE } from "../../../src/kernel/clock.ts";
import type { AppError } from "../../../src/kernel/errors.ts";
import { formatCount, formatNumber } from "../../../src/kernel/number-text.ts";
import type { DxccMatrices } from "../../../src/domain/awards/entity-slots.ts";
import { describeNeed, type Need } from "../../../src/domain/awards/need.ts";
import { findChanges, FORM_FIELDS, formatField, getFormValues } from "../../../src/domain/contact/qso-form.ts";
import type { QsoView } from "../../../src/domain/contact/qso-view.ts";
import { toTypedQso, toNeedRequest } from "../../../src/domain/contact/quick-entry.ts";
import { formatFromNow, formatUtc } from "../../../src/kernel/time-text.ts";
import { renderKeyLine, type Context } from "../context.ts";
import { formatCell } from "../../table.ts";
import { CARET, wrapLines, type Line, type Span } from "../line.ts";
import { loadEntitySlots, renderEntitySlots } from "../log/entity-slots.ts";
import { renderAlike } from "../log/qso-view.ts";
import type { Press } from "../keymap.ts";
import { typeInto } from "./prompt.ts";

interface Place {
  name: string;
  label: string;
  width: number;
}

/** The values, the focused field, and a message. */
interface Form {
  fields: Readonly<Record<string, string>>;
  at: number;
  said: Line | null;
}

/** What the log knows of the call too; null until it is loaded. */
interface QuickForm extends Form {
  need: Known | null;
  slots: DxccMatrices | null;
}

const QUICK: readonly Place[] = [
  { name: "call", label: "Call", width: 13 },
  { name: "band", label: "Band, MHz", width: 9 },
  { name: "mode", label: "Mode", width: 7 },
  { name: "rstSent", label: "Sent", width: 5 },
  { name: "rstRcvd", label: "Rcvd", width: 5 },
  { name: "startedAt", label: "UTC", width: 16 },
];

/** A contact with the same call, band and mode within this time is probably the same one. */
const SAME_CONTACT_FOR = 10 * MINUTE;
const PAUSE_MS = 150;
const MAX_PAST = 5;

/** The focused field after a key; null if the key does not move. */
const moveField = ({ name }: Press, at: number, count: number, isAcross: boolean): number | null => {
  const [next, before] = isAcross ? ["right", "left"] : ["down", "up"];
  if (name === "tab" || name === next) return (at + 1) % count;
  if (name === "backTab" || name === before) return (at + count - 1) % count;
  return null;
};

/** A space after a call or a band goes on, so that "k1abc 20 cw" can be typed in one go. */
const endsField = (name: string, typed: string, press: Press): boolean =>
  press.name === "letter" &&
  press.letter === " " &&
  (name === "call" ? typed !== "" : name === "band" && (parseBand(typed) !== null || /^\d+\.\d+$/.test(typed)));

/** The error message by field label, and the field to focus. */
const toFormError = (error: AppError, places: readonly Place[], at: number): Pick<Form, "at" | "said"> => {
  const first = error.fields?.[0];
  const place = places.findIndex(({ name }) => name === first?.path || (name === "band" && first?.path === "freqHz"));
  const words = place === -1 ? (first?.message ?? error.message) : `${places[place]!.label}: ${first!.message}`;
  return { at: place === -1 ? at : place, said: [[words, "failed"]] };
};

const renderBox = ({ width }: Place, value: string, isHere: boolean): Span[] => {
  const shown = Bun.sliceAnsi(value, 1 - width);
  const left = width - Bun.stringWidth(shown);
  return isHere ? [shown, CARET, "_".repeat(left - 1), " "] : [`${shown}${"_".repeat(left)} `];
};

/** Enters contacts on one line: Enter saves and starts the next one. */
export const askForQsos = (context: Context, fields: Form["fields"] = {}): void => {
  let form: QuickForm = { fields, at: fields.call === undefined ? 0 : 1, said: null, need: null, slots: null };
  let last: { id: number; call: string } | null = null;
  let timer: Timer | undefined;
  let isOpen = true;

  const close = () => {
    isOpen = false;
    clearTimeout(timer);
    context.ask(null);
  };
  const change = (part: Partial<QuickForm>) => {
    form = { ...form, ...part };
    if (isOpen) context.ask({ title: "New QSO", lines: renderQuickEntry(context, form), press });
  };
  const loadSlots = () =>
    loadEntitySlots(context.client).then(
      (slots) => change({ slots }),
      () => {},
    );
  const look = () => {
    clearTimeout(timer);
    const request = toNeedRequest(form.fields);
    if (!/^[\w/]{3,20}$/.test(request.call)) return change({ need: null });
    const about = form.fields;
    timer = setTimeout(() => {
      Promise.all([
        context.client.need(request),
        context.client.qsos({ call: request.call, limit: String(MAX_PAST) }),
      ]).then(
        ([found, { qsos }]) => form.fields === about && change({ need: { ...found, past: qsos } }),
        () => {},
      );
    }, PAUSE_MS);
  };
  const keep = () => {
    const given = Object.fromEntries(Object.entries(form.fields).filter(([, value]) => value.trim() !== ""));
    context.client.addQso(toTypedQso(given, context.clock())).then(
      (qso) => {
        last = { id: qso.id, call: qso.call };
        clearTimeout(timer);
        const { band = "", mode = "" } = form.fields;
        change({ fields: { band, mode }, at: 0, said: renderKept(qso), need: null });
        void loadSlots();
        context.reload();
      },
      (error: AppError) => change(toFormError(error, QUICK, form.at)),
    );
  };
  const takeBack = () => {
    if (last === null) return change({ said: [["There is nothing to undo.", "failed"]] });
    const { id, call } = last;
    last = null;
    context.client.deleteQso(id).then(
      () => {
        change({ said: [[`Removed ${call} from the log.`, "live"]] });
        void loadSlots();
        context.reload();
      },
      (error: Error) => change({ said: [[error.message, "failed"]] }),
    );
  };
  const press = (one: Press): void => {
    const { name } = QUICK[form.at]!;
    const typed = form.fields[name] ?? "";
    const text = typeInto(typed, one);
    const to = endsField(name, typed, one) ? form.at + 1 : moveField(one, form.at, QUICK.length, true);
    if (one.name === "undo") takeBack();
    else if (one.name === "enter") keep();
    else if (one.name === "escape") close();
    else if (to !== null) change({ at: to });
    else if (text !== null) {
      change({ fields: { ...form.fields, [name]: name === "call" ? text.toUpperCase() : text } });
      look();
    }
  };
  change({});
  look();
  void loadSlots();
};

const renderKept = ({ call, band, mode, submode, entity }: QsoView): Line => [
  [`In the log: ${[call, band, submode ?? mode, entity].filter(Boolean).join("  ")}`, "confirmed"],
  "   ",
  ["Ctrl-Z", "title"],
  " undo",
];

/** What is known of a call, with the last contacts. */
type Known = Need & { past: readonly QsoView[] };

const NEWS_SHOWN = 5;
/** The frame of the form, and some room beside it. */
const FRAME_LINES = 2;
const AROUND = 6;
const MAX_WIDTH = 76;

const renderQuickEntry = (context: Context, { fields, at, said, need, slots }: QuickForm): Line[] => {
  const head: Line[] = [
    QUICK.map(({ label, width: wide }): Span => [formatCell(label, wide + 1), "title"]),
    QUICK.flatMap((place, index) => renderBox(place, fields[place.name] ?? "", index === at)),
    [],
  ];
  const foot: Line[] = [
    ...(said === null ? [] : [said]),
    [],
    [["Leave the time empty for now. You can type: k1abc 20 cw", "quiet"]],
    renderKeyLine(["Enter", "save"], ["Tab", "next field"], ["Esc", "closes"]),
  ];
  const room = context.size.height - FRAME_LINES - head.length - foot.length;
  return [...head, ...(need === null ? [[]] : renderNeed(need, slots, room, context)), ...foot];
};

/** What is known of a call. The matrix and the last contacts are shown if there is room. */
const renderNeed = (need: Known, slots: DxccMatrices | null, room: number, context: Context): Line[] => {
  const { entity, distanceKm, bearing, worked, past } = need;
  const { size, isPlain } = context;
  const width = Math.min(MAX_WIDTH, size.width - AROUND);
  const now = context.clock();
  const isTwice = worked.onBandInMode && worked.lastAt !== null && now - worked.lastAt < SAME_CONTACT_FOR;
  const warning = `Logged ${formatFromNow(worked.lastAt ?? now, now)} on ${need.band} ${need.mode}. Enter logs it twice.`;
  const head: Line[] = [
    [
      [entity?.name ?? "Unknown entity", "title"],
      distanceKm === null ? "" : `, ${formatNumber(distanceKm)} km, at ${bearing}°`,
    ],
    ...wrapLines(describeNeed(need).slice(0, NEWS_SHOWN).join(" · "), width, "confirmed", ""),
    worked.count === 0
      ? [["Not worked before.", "confirmed"]]
      : [
          `Worked before: ${formatCount(worked.count, "QSO")}`,
          worked.lastAt === null ? "" : `, last ${formatUtc(worked.lastAt)} UTC`,
        ],
  ];
  const here = { band: need.band, modeGroup: need.group };
  const foot = isTwice ? wrapLines(warning, width, "failed", "") : [];
  const matrix =
    entity === null || slots === null
      ? []
      : renderEntitySlots(slots, { ...here, dxcc: entity.dxcc, entity: entity.name }, isPlain);
  const left = room - head.length - foot.length;
  const shownMatrix = matrix.length <= left ? matrix : [];
  const shownPast = past.slice(0, Math.max(0, left - shownMatrix.length));
  return [...head, ...shownPast.map((qso): Line => renderAlike(qso, false, isPlain)), ...shownMatrix, ...foot];
};

const LABEL = 18;

/** Edits a contact, one field per line. Typed values take priority over other origins. */
export const askToEdit = (context: Context, qso: QsoView): void => {
  const places = FORM_FIELDS.map(([name, label]) => ({
    name,
    label,
    width: Math.min(44, context.size.width - LABEL - 8),
  }));
  let form: Form = {
    fields: Object.fromEntries(FORM_FIELDS.map(([name]) => [name, formatField(qso, name)])),
    at: 0,
    said: null,
  };
  const change = (part: Partial<Form>) => {
    form = { ...form, ...part };
    context.ask({ title: `Correct ${qso.call}`, lines: editLines(context, form, places), press });
  };
  const save = () => {
    const typed = findChanges(form.fields, qso);
    if (Object.keys(typed).length === 0) return context.ask(null);
    context.client.editQso(qso.id, { ...typed, seen: getFormValues(qso) }).then(
      () => {
        context.ask(null);
        context.say("Saved.");
        context.reload();
      },
      (error: AppError) => change(toFormError(error, places, form.at)),
    );
  };
  const press = (one: Press): void => {
    const { name } = places[form.at]!;
    const text = typeInto(form.fields[name]!, one);
    const to = moveField(one, form.at, places.length, false);
    if (one.name === "enter") save();
    else if (one.name === "escape") context.ask(null);
    else if (to !== null) change({ at: to });
    else if (text !== null) change({ fields: { ...form.fields, [name]: text }, said: null });
  };
  change({});
};

const editLines = (context: Context, { fields, at, said }: Form, places: readonly Place[]): Line[] => {
  const room = Math.max(3, context.size.height - 7);
  const top = Math.max(0, Math.min(at - Math.floor(room / 2), places.length - room));
  return [
    ...places
      .slice(top, top + room)
      .map((place, index): Line => [
        [formatCell(place.label, LABEL), "title"],
        ...renderBox(place, fields[place.name]!, top + index === at),
      ]),
    [],
    said ?? [["What you enter wins over files and services.", "quiet"]],
    renderKeyLine(["Enter", "saves"], ["Tab", "next field"], ["Esc", "cancel"]),
  ];
};
