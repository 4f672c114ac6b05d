import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Whether a process of this machine is running, whoever owns it. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return getState(pid) !== "Z";
};

/** Identifies a process, so that others can find out whether it is alive. */
export interface ProcessMark {
  /** Where the pid is valid: containers number processes themselves, even under the same host name. */
  place: string;
  pid: number;
  /** When it started, in the machine's own units; null if unknown. A pid alone can be reused. */
  born: string | null;
}

export const getOwnMark = (): ProcessMark => ({
  place: getOwnPlace(),
  pid: process.pid,
  born: getStartTime(process.pid),
});

/** Whether a process has certainly ended. Nothing is known about processes elsewhere. */
export const isGone = ({ place, pid, born }: ProcessMark): boolean => {
  if (place !== getOwnPlace()) return false;
  if (!isAlive(pid)) return true;
  const now = getStartTime(pid);
  return born !== null && now !== null && now !== born;
};

/** Identifies the running system and its pid namespace; the host name if the system does not say. */
const getOwnPlace = (): string => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return new Bun.CryptoHasher("sha256")
      .update(`${boot} ${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex")
      .slice(0, 16);
  } catch {
    return hostname();
  }
};

/** The part of a file name that identifies the process that created it. */
export const getOwnTag = (): string => `${tagOf(getOwnPlace())}-${process.pid}`;

/** Whether the process in a file's tag has ended. */
export const isTagGone = (tag: string): boolean => {
  const [place, pid] = tag.split("-");
  return place === tagOf(getOwnPlace()) && !isAlive(Number(pid));
};

const tagOf = (place: string): string => new Bun.CryptoHasher("sha256").update(place).digest("hex").slice(0, 8);

/** The fields of /proc/PID/stat from the state on; null if unavailable. */
const readProcStat = (pid: number): string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

/** `Z` is a zombie: it has ended, but its parent has not collected its status. In a container that may never happen. */
const getState = (pid: number): string | null => readProcStat(pid)?.[0] ?? null;

const FACT_OF_BIRTH = 19;

const getStartTime = (pid: number): string | null => readProcStat(pid)?.[FACT_OF_BIRTH] ?? null;
