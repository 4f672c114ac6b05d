import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { resolve } from "node:path";

/** Other processes that have the file open, as far as the system shows them: "qsolog serve (process 7)". */
export const listProgramsUsing = (file: string): string[] => {
  const wanted = resolve(file);
  return listProcesses()
    .filter((pid) => pid !== process.pid && listFiles(pid).some((open) => open === wanted))
    .map((pid) => `${nameOf(pid)} (process ${pid})`);
};

const listProcesses = (): number[] =>
  quietly(() =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
  );

const listFiles = (pid: number): string[] => {
  const directory = `/proc/${pid}/fd`;
  return quietly(() => readdirSync(directory)).flatMap((fd) => quietly(() => [readlinkSync(`${directory}/${fd}`)]));
};

const nameOf = (pid: number): string => {
  const words = quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean));
  const main = words.findIndex((word) => /(^|\/)(cli\/main\.ts|qsolog)$/.test(word));
  return main < 0 ? (words[0] ?? "a program") : ["qsolog", ...words.slice(main + 1, main + 2)].join(" ");
};

/** A process can end while it is inspected, and other users' processes are hidden. */
const quietly = <T>(read: () => T[]): T[] => {
  try {
    return read();
  } catch {
    return [];
  }
};
