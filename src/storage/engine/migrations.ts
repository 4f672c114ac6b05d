import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Migration {
  name: string;
  up: string;
  down?: string;
}

/** In the executable the folder is next to this code, because `deploy/build.ts` embeds it. */
const FOLDER = ["migrations", "../../../migrations"].map((path) => join(import.meta.dir, path)).find(existsSync)!;

const readMigrations = (): Migration[] => {
  const files = new Map(readdirSync(FOLDER).map((file) => [file, readFileSync(join(FOLDER, file), "utf8")]));
  const names = [...files.keys()].flatMap((file) => file.match(/^(\w+)\.sql$/)?.[1] ?? []);
  return names.sort().map((name) => ({ name, up: files.get(`${name}.sql`)!, down: files.get(`${name}.down.sql`) }));
};

/** Every migration of the folder, in the order they are applied. */
export const MIGRATIONS: readonly Migration[] = readMigrations();
