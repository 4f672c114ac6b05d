const pending: (() => unknown)[] = [];

/** Does something when the test is over, last come first. */
export const afterTest = (action: () => unknown): void => void pending.push(action);

export const cleanUp = async (): Promise<void> => {
  for (const action of pending.splice(0).reverse()) await action();
};
