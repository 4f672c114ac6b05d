import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** Whether a process of this machine is there and runs, whoever it belongs to. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  return stateOf(pid) !== "Z";
};

/** A process as others may have to find it again. */
export interface ProcessMark {
  /** Where its number means anything: containers number their processes themselves, also under one host name. */
  place: string;
  pid: number;
  /** When it began, as the machine counts; null where that cannot be known. The number alone is given out again. */
  born: string | null;
}

export const ownMark = (): ProcessMark => ({ place: ownPlace(), pid: process.pid, born: bornOf(process.pid) });

/** Whether a process has certainly ended. Of one in another place nothing is known. */
export const isGone = ({ place, pid, born }: ProcessMark): boolean => {
  if (place !== ownPlace()) return false;
  if (!isAlive(pid)) return true;
  const now = bornOf(pid);
  return born !== null && now !== null && now !== born;
};

/** The running system and its numbering of processes; the host name where the system does not tell. */
const ownPlace = (): string => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return createHash("sha256")
      .update(`${boot} ${readlinkSync("/proc/self/ns/pid")}`)
      .digest("hex")
      .slice(0, 16);
  } catch {
    return hostname();
  }
};

/** The name of a file that its maker may leave behind, in so far as it tells who that was. */
export const ownTag = (): string => `${tagOf(ownPlace())}-${process.pid}`;

/** Whether the maker of a file has ended, by the tag in its name; one of an older program tells only its number. */
export const isTagGone = (tag: string): boolean => {
  const [pid = "", place] = tag.split("-").reverse();
  return (place === undefined || place === tagOf(ownPlace())) && !isAlive(Number(pid));
};

const tagOf = (place: string): string => createHash("sha256").update(place).digest("hex").slice(0, 8);

/** What the system tells of a process, from its state on; null where it tells nothing. */
const factsOf = (pid: number): string[] | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
};

/** `Z`: it has ended, but whoever started it has not asked how; in a container nobody may ever do. */
const stateOf = (pid: number): string | null => factsOf(pid)?.[0] ?? null;

const FACT_OF_BIRTH = 19;

const bornOf = (pid: number): string | null => factsOf(pid)?.[FACT_OF_BIRTH] ?? null;
