import { join } from "node:path";

export const countryFilePath = (dataDir: string): string => join(dataDir, "cty.csv");

/** A version mark for the country file in use, computed without loading it. */
export const countryFileMark = async (dataDir: string): Promise<string> => {
  const file = Bun.file(countryFilePath(dataDir));
  return (await file.exists()) ? `${file.lastModified} ${file.size}` : "bundled";
};
