/**
 * Says that the requested own callsigns are not in the log. Zeros alone would look like an empty log after a typing
 * error.
 */
export const describeSilent = (stations: readonly string[]): string => {
  const names = stations.length > 1 ? `${stations.slice(0, -1).join(", ")} or ${stations.at(-1)}` : stations[0]!;
  return `You made no contacts as ${names}.`;
};
