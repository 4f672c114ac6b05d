import { useEffect, useState } from "react";
import type { QsoParameters } from "../../src/domain/contact/qso-filter.ts";
import type { Logbook } from "../client/logbook.ts";
import { QsoWindow } from "./qso-window.ts";

interface Wish {
  parameters: QsoParameters;
  /** A new version reloads the same list. */
  version: string;
  from: number;
  to: number;
}

interface Shown {
  window: QsoWindow | null;
  name: string;
  problem: string | null;
}

const MIN_PAUSE_MS = 120;
const MAX_PAUSE_MS = 700;

/**
 * The visible rows. A new list is requested after a short pause in typing, and replaces the old one when its first rows
 * arrive.
 */
export const useQsoWindow = (client: Logbook, { parameters, version, from, to }: Wish, isActive: boolean) => {
  const name = JSON.stringify(parameters);
  const [shown, show] = useState<Shown>({ window: null, name: "", problem: null });
  const [, redraw] = useState(0);
  const { window } = shown;

  useEffect(() => {
    if (!isActive) return;
    let isWanted = true;
    const ask = async (): Promise<void> => {
      const next = new QsoWindow(client, parameters);
      try {
        await next.load(from, to, () => isWanted);
        if (isWanted) show({ window: next, name, problem: null });
      } catch (error) {
        if (isWanted) show((before) => ({ ...before, name, problem: (error as Error).message }));
      }
    };
    const timer = setTimeout(() => void ask(), window === null ? 0 : pauseAfter(window.slowestMs));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [name, version, isActive]);

  useEffect(() => {
    if (window === null || shown.name !== name || window.has(from, to)) return;
    let isWanted = true;
    window
      .load(from, to, () => isWanted)
      .then(
        () => isWanted && redraw((count) => count + 1),
        (error: Error) => isWanted && show((before) => ({ ...before, problem: error.message })),
      );
    return () => void (isWanted = false);
  }, [window, shown.name, name, from, to]);

  return { window, problem: shown.problem, isSearching: shown.name !== name };
};

/** If searching is slow, it waits longer after typing, so that keys stay responsive. */
const pauseAfter = (slowestMs: number): number => Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, 2 * slowestMs));
