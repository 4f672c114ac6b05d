/** A spreadsheet takes what begins like this for a formula: a word from outside is none. A number is. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d+(?:\.\d+)?$)/;

/** One value of a line of CSV. */
export const csvCell = (text: string): string => {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
