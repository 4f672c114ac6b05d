/** How many contacts the command line asks for with `--contacts=N`; without it, as many as are usual. */
export const contactsAsked = (usual: number): number => {
  const asked = process.argv.map((word) => word.match(/^--contacts=(\d+)$/)?.[1]).find(Boolean);
  return Number(asked ?? usual);
};
