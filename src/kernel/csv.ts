/** Prevents CSV injection: escapes cells that a spreadsheet would evaluate as a formula, except numbers. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d+(?:\.\d+)?$)/;

/** One cell of a CSV line. */
export const formatCsvCell = (text: string): string => {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
