import { statSync } from "node:fs";
import { join } from "node:path";

export const getCountryFilePath = (dataDir: string): string => join(dataDir, "cty.csv");
/** What `qsolog country update` kept of Club Log's cty.xml. */
export const getClubLogPath = (dataDir: string): string => join(dataDir, "clublog.txt");

/** A version mark for the files in use, computed without loading them. */
export const getCountryFileMark = (dataDir: string): string =>
  [getCountryFilePath(dataDir), getClubLogPath(dataDir)]
    .map((path) => {
      const file = statSync(path, { throwIfNoEntry: false });
      return file ? `${file.mtimeMs} ${file.size}` : "bundled";
    })
    .join(", ");

/** Returns a function that calls `load` again only when the country file has changed. */
export const oncePerCountryFile = <T>(load: (dataDir: string) => Promise<T>): ((dataDir: string) => Promise<T>) => {
  let loaded: { mark: string; value: Promise<T> } | null = null;
  return (dataDir) => {
    const mark = `${dataDir} ${getCountryFileMark(dataDir)}`;
    if (loaded?.mark === mark) return loaded.value;
    const loading = { mark, value: load(dataDir) };
    loaded = loading;
    loading.value.catch(() => loaded === loading && (loaded = null));
    return loading.value;
  };
};
