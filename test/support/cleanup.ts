const pending: (() => unknown)[] = [];

/** Runs an action after the test, in reverse order. */
export const afterTest = (action: () => unknown): void => void pending.push(action);

const pendingToTheEnd: (() => unknown)[] = [];

/** Runs an action after all tests. */
export const afterAllTests = (action: () => unknown): void => void pendingToTheEnd.push(action);

export const cleanUpAtTheEnd = async (): Promise<void> => {
  for (const action of pendingToTheEnd.splice(0).reverse()) await action();
};

export const cleanUp = async (): Promise<void> => {
  for (const action of pending.splice(0).reverse()) await action();
};
