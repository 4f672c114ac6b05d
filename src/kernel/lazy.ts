/** Made when it is first asked for, and then the same for everybody. */
export const lazy = <T extends object>(make: () => T): (() => T) & { isMade(): boolean } => {
  let made: T | null = null;
  return Object.assign(() => (made ??= make()), { isMade: () => made !== null });
};
