/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../../src/domain/awards/award.ts";
import { BAND_NAMES, USUAL_BANDS } from "../../../src/domain/radio/band.ts";
import { StateLegend } from "../../charts/legend.tsx";
import { TEXTS } from "../../texts/shared.ts";
import { Caption } from "../table.tsx";
import { SlotMark } from "./mark.tsx";

export interface Slot {
  band: string;
  mode: string;
  state: Cell | null;
}

interface SlotMatrixProps {
  caption: string;
  slots: readonly Slot[];
  /** The slot of the contact that the page shows. */
  here?: { band: string | null; mode: string | null } | undefined;
}

const { states: WORDS } = TEXTS;

/** The state of each mode on each band. */
export const SlotMatrix = ({ caption, slots, here }: SlotMatrixProps) => {
  const present = new Set<string>([...USUAL_BANDS, ...slots.map(({ band }) => band)]);
  const bands = BAND_NAMES.filter((band) => present.has(band));
  const modes = [...new Set(slots.map(({ mode }) => mode))];
  const states = new Map(slots.map(({ band, mode, state }) => [`${band} ${mode}`, state]));
  return (
    <div class="slot-matrix">
      <table>
        <Caption words={caption} />
        <thead>
          <tr>
            <td></td>
            {bands.map((band) => (
              <th scope="col">
                <span aria-hidden="true" safe>
                  {band.replace(/(?<=\d)m$/, "")}
                </span>
                <span class="hidden" safe>
                  {band}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {modes.map((mode) => (
            <tr>
              <th scope="row" class="mono" safe>
                {mode}
              </th>
              {bands.map((band) => (
                <td>
                  <SlotMark
                    state={states.get(`${band} ${mode}`) ?? null}
                    of={`${band} ${mode}`}
                    empty={WORDS.notWorked}
                    isHere={here?.band === band && here.mode === mode}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <StateLegend states={["confirmed", "worked", ...(here ? (["here"] as const) : [])]} />
    </div>
  );
};
