/**
 * The start of a cell, or of a part of it in programs that separate cells by another character, if a spreadsheet could
 * evaluate what follows as a formula: = + - @, also in full width and after characters that nobody sees. Numbers are
 * none.
 */
const FORMULA =
  /(^|[;,\t\n\r\v\f\x85\u2028\u2029])(?=[\p{Zs}\p{Cf}\p{Default_Ignorable_Code_Point}\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])(?![+-]\d+(?:\.\d+)?(?:$|[;,\t\n\r]))/gu;

/** One cell of a CSV line. An apostrophe prevents CSV injection. */
export const formatCsvCell = (text: string): string => {
  const plain = text.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};
