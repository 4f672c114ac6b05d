import { AppError } from "../../kernel/errors.ts";
import type { Radio, RadioState } from "../../domain/radio/radio.ts";
import { numberIn, wordIn } from "./body.ts";

const LONGEST = 250;
const MAX_WORD_LENGTH = 20;

const shortWordIn = (value: unknown): string | null => wordIn(value)?.slice(0, MAX_WORD_LENGTH) ?? null;

/** Radios report the sideband (CW-U, CW-L); the log has only CW. */
const modeIn = (value: unknown): string | null => {
  const mode = shortWordIn(value);
  return mode !== null && /^CW-?[UL]$/i.test(mode) ? "CW" : mode;
};

export const radioIn = (fields: Record<string, unknown>): RadioState => {
  const name = wordIn(fields.radio);
  if (name === undefined || name.length > LONGEST) throw new AppError("invalid", "The name of the radio is missing.");
  return {
    name,
    frequency: numberIn(fields.frequency),
    frequencyRx: numberIn(fields.frequency_rx),
    mode: modeIn(fields.mode),
    modeRx: modeIn(fields.mode_rx),
    power: numberIn(fields.power),
    propMode: shortWordIn(fields.prop_mode),
    satName: shortWordIn(fields.sat_name),
  };
};

export const radioView = ({ id, name, updatedAt, ...state }: Radio) => ({
  id,
  radio: name,
  frequency: state.frequency,
  frequency_rx: state.frequencyRx,
  mode: state.mode,
  mode_rx: state.modeRx,
  power: state.power,
  prop_mode: state.propMode,
  sat_name: state.satName,
  updated_at: new Date(updatedAt).toISOString().slice(0, 19).replace("T", " "),
});
