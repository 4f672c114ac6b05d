import { DAY } from "../kernel/clock.ts";
import table from "./dated-calls.txt" with { type: "text" };

/** From the first to the last day, a call stood for this entity; null if it stood for none. */
export interface DatedCall {
  dxcc: number | null;
  from: number;
  until: number;
  source: string;
}

/** The table that comes with the program. */
export const loadDatedCalls = (): Map<string, DatedCall[]> => parseDatedCalls(table);

/**
 * Lines of entity, first day, last day, source and calls, separated by spaces. A hyphen stands for no entity or an
 * open end; lines that begin with # are comments.
 */
const parseDatedCalls = (text: string): Map<string, DatedCall[]> => {
  const byCall = new Map<string, DatedCall[]>();
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [entity, first, last, source, ...calls] = line.split(" ");
    const dated = {
      dxcc: entity === "-" ? null : Number(entity),
      from: first === "-" ? -Infinity : Date.parse(first!),
      until: last === "-" ? Infinity : Date.parse(last!) + DAY,
      source: source!,
    };
    for (const call of calls) byCall.set(call, [...(byCall.get(call) ?? []), dated]);
  }
  return byCall;
};

/** The table with another one, which wins where both list a call. */
export const addDatedCalls = (
  table: ReadonlyMap<string, readonly DatedCall[]>,
  text: string,
): Map<string, DatedCall[]> => {
  const byCall = parseDatedCalls(text);
  for (const [call, listed] of table) byCall.set(call, [...(byCall.get(call) ?? []), ...listed]);
  return byCall;
};

export const findDatedCall = (
  byCall: ReadonlyMap<string, readonly DatedCall[]>,
  call: string,
  at: number | null,
): DatedCall | undefined =>
  at === null ? undefined : byCall.get(call)?.find(({ from, until }) => at >= from && at < until);
