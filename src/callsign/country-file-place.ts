import { join } from "node:path";

export const getCountryFilePath = (dataDir: string): string => join(dataDir, "cty.csv");

/** A version mark for the country file in use, computed without loading it. */
export const getCountryFileMark = async (dataDir: string): Promise<string> => {
  const file = Bun.file(getCountryFilePath(dataDir));
  return (await file.exists()) ? `${file.lastModified} ${file.size}` : "bundled";
};
