import type { Clock } from "../domain/clock.ts";
import type { Asker } from "./asker.ts";

/** What a radio is set to, as a program last told. */
export interface Radio {
  id: number;
  name: string;
  frequency: number | null;
  frequencyRx: number | null;
  mode: string | null;
  modeRx: string | null;
  power: number | null;
  propMode: string | null;
  satName: string | null;
  updatedAt: number;
}

export type RadioState = Omit<Radio, "id" | "updatedAt">;

const MOST_OF_USER = 20;
const MOST_USERS = 1_000;

/** What radios are set to at the moment: kept in memory, because it is old in a minute. */
export class Radios {
  readonly #clock: Clock;
  readonly #ofUsers = new Map<number, Map<string, Radio>>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list({ id }: Asker): Radio[] {
    return [...(this.#ofUsers.get(id)?.values() ?? [])];
  }

  /** Says whether the radio was not known before. */
  tell({ id: userId }: Asker, state: RadioState): { radio: Radio; isNew: boolean } {
    const radios = this.#ofUsers.get(userId) ?? new Map<string, Radio>();
    const known = radios.get(state.name);
    const radio = { ...state, id: known?.id ?? (this.#lastId += 1), updatedAt: this.#clock() };
    radios.delete(state.name);
    if (radios.size >= MOST_OF_USER) radios.delete(radios.keys().next().value!);
    radios.set(state.name, radio);
    this.#ofUsers.delete(userId);
    if (this.#ofUsers.size >= MOST_USERS) this.#ofUsers.delete(this.#ofUsers.keys().next().value!);
    this.#ofUsers.set(userId, radios);
    return { radio, isNew: known === undefined };
  }

  forget({ id }: Asker, number: number): boolean {
    const radios = this.#ofUsers.get(id);
    const found = [...(radios?.values() ?? [])].find((radio) => radio.id === number);
    return found !== undefined && radios!.delete(found.name);
  }
}
