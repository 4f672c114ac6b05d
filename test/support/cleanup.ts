const pending: (() => unknown)[] = [];

/** Does something when the test is over, last come first. */
export const afterTest = (action: () => unknown): void => void pending.push(action);

const pendingToTheEnd: (() => unknown)[] = [];

/** Does something when all tests are over. */
export const afterAllTests = (action: () => unknown): void => void pendingToTheEnd.push(action);

export const cleanUpAtTheEnd = async (): Promise<void> => {
  for (const action of pendingToTheEnd.splice(0).reverse()) await action();
};

export const cleanUp = async (): Promise<void> => {
  for (const action of pending.splice(0).reverse()) await action();
};
