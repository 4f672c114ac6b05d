/** The last state of a radio that a program reported. */
export interface RadioState {
  name: string;
  frequency: number | null;
  frequencyRx: number | null;
  mode: string | null;
  modeRx: string | null;
  power: number | null;
  propMode: string | null;
  satName: string | null;
}

export interface Radio extends RadioState {
  id: number;
  updatedAt: number;
}
