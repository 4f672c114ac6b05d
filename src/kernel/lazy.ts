/** Creates a value on first use and then returns the same one. */
export const lazy = <T extends object>(make: () => T): (() => T) & { isMade(): boolean } => {
  let made: T | null = null;
  return Object.assign(() => (made ??= make()), { isMade: () => made !== null });
};
