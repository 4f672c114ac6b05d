/** A status or code as records compare it. */
export const word = (text: string | undefined): string => (text === undefined ? "" : text.trim().toUpperCase());

/** A text that says something, or null: empty ones and the services' placeholders do not. */
export const told = (text: string | undefined): string | null => {
  const plain = text?.trim() ?? "";
  return plain === "" ? null : plain;
};
