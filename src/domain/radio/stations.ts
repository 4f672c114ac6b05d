/** That own callsigns somebody asked for are not in the log: zeros would not tell a slip from an empty log. */
export const silentInWords = (stations: readonly string[]): string => {
  const names = stations.length > 1 ? `${stations.slice(0, -1).join(", ")} or ${stations.at(-1)}` : stations[0]!;
  return `No contact was made as ${names}.`;
};
