/**
 * What the program does wrong today. The test steers around each fault, unless `--find` names it: then it looks for the
 * fault and fails. To fix one, remove its name here and every question about it.
 */
export const FAULTS = {
  pastCalls: "calls of past expeditions and with a letter behind the slash get today's entity of their prefix",
} as const;

export type Fault = keyof typeof FAULTS;

export const isFault = (name: string): name is Fault => Object.hasOwn(FAULTS, name);
