/** @jsxImportSource react */
import { Box, useApp, useCursor, useInput, useWindowSize } from "ink";
import { useEffect } from "react";
import type { Clock } from "../../src/kernel/clock.ts";
import { isActive } from "../../src/domain/jobs/sync-job.ts";
import type { Logbook } from "../client/logbook.ts";
import { INTERRUPTED } from "../terminal.ts";
import { useAwards } from "./awards/screen.ts";
import { useDashboard } from "./dashboard.ts";
import { TABS, UNSEEN, type AwardWish, type Context, type Question, type Screen, type Tab } from "./context.ts";
import { FRAME_HEIGHT, HEAD_HEIGHT, LOWEST, NARROWEST, findTab, renderFoot, renderHead, renderHelp } from "./frame.ts";
import { useLatest, usePoll, usePresses } from "./hooks.ts";
import { describeActiveJob } from "./jobs/lines.ts";
import { useJobs, type JobWish } from "./jobs/list-screen.ts";
import { drawFrame, findPosition, fitHeight, measureLine, type Line, type Size } from "./line.ts";
import { Ground, Lines, type Theme } from "./render.tsx";
import { useLog } from "./log/screen.ts";
import type { Mouse } from "./streams.ts";
import { confirm } from "./dialogs/confirm.ts";
import { askForCommand } from "./dialogs/palette.ts";
import { getLetter, parsePresses, type Press } from "./keymap.ts";
import { askForQsos } from "./dialogs/qso-form.ts";
import { useStatistics } from "./statistics.ts";
import { askToSync } from "./dialogs/jobs.ts";

export interface AppProps {
  client: Logbook;
  clock: Clock;
  /** The user or server shown in the head. */
  who: string;
  theme: Theme;
  isPlain: boolean;
  /** Whether single letters are commands. Speech input and screen readers type them by accident. */
  hasLetterKeys: boolean;
  /** Sends a control sequence to the terminal. */
  send(sequence: string): void;
  mouse: Mouse;
}

interface State {
  tab: Tab;
  question: Question | null;
  said: string | null;
  refreshes: number;
  wish: Record<string, string>;
  award: AwardWish;
  job: JobWish;
  hasLetterKeys: boolean;
  /** The tab from which the user came to the log. */
  cameFrom: Tab;
  /** Running syncs that were started here. */
  started: readonly number[];
}

const JOBS_WATCHED = 20;
const LOOKED_EVERY_MS = 500;
/** Polls a server no more often than its own pages do. */
const SERVER_LOOKED_EVERY_MS = 1_000;

export const App = ({ client, clock, who, theme, isPlain, hasLetterKeys: hadLetterKeys, send, mouse }: AppProps) => {
  const { exit } = useApp();
  const { columns, rows } = useWindowSize();
  const state = useLatest<State>({
    tab: "Dashboard",
    question: null,
    said: null,
    refreshes: 0,
    wish: {},
    award: null,
    job: null,
    hasLetterKeys: hadLetterKeys,
    cameFrom: "Log",
    started: [],
  });
  const { tab, question, said, refreshes, wish, award, job, started, hasLetterKeys } = state.now;
  const { value, problem } = usePoll({
    subject: "jobs",
    version: `${refreshes} ${started.length}`,
    everyMs: client.runsJobsHere ? LOOKED_EVERY_MS : SERVER_LOOKED_EVERY_MS,
    ask: () => client.jobs({ limit: JOBS_WATCHED }),
  });
  const jobs = value?.jobs ?? null;
  const size = { width: columns, height: rows - FRAME_HEIGHT };
  const say = (words: string): void => state.change({ said: words });
  const ask = (next: Question | null): void => state.change({ question: next });
  const context: Context = {
    client,
    clock,
    size,
    isPlain,
    hasLetterKeys,
    jobs,
    version: JSON.stringify([
      refreshes,
      jobs?.map(({ id, status, stats }) => [id, status, stats.added, stats.updated]),
    ]),
    refreshes,
    say,
    fail: (error) => say(error.message),
    ask,
    reload: () => state.change({ refreshes: state.now.refreshes + 1 }),
    copy: (text, what) => {
      send(toClipboard(text));
      say(`Copied ${what} to the clipboard, if the terminal supports it.`);
    },
    showAward: (wanted) => state.change({ tab: "Awards", award: wanted }),
    showJob: (id) => state.change({ tab: "Jobs", job: { id } }),
    showQsos: (filter) => state.change({ tab: "Log", wish: filter, cameFrom: state.now.tab }),
    goBack: () => state.change({ tab: state.now.cameFrom }),
  };

  useEffect(() => {
    const ended = jobs?.find((job) => started.includes(job.id) && !isActive(job));
    if (!ended) return;
    state.change({ started: started.filter((id) => id !== ended.id), said: describeActiveJob(ended) });
  }, [jobs]);

  const isTooSmall = columns < NARROWEST || rows < LOWEST;
  const shown = isTooSmall ? null : tab;
  const screens: Record<Tab, Screen> = {
    Dashboard: useDashboard(context, shown === "Dashboard"),
    Log: useLog(context, shown === "Log", wish),
    Awards: useAwards(context, shown === "Awards", award),
    Jobs: useJobs(context, shown === "Jobs", job),
    Stats: useStatistics(context, shown === "Stats"),
  };
  const screen = screens[tab];

  const leave = (): void => {
    if (state.now.started.length === 0 || !client.runsJobsHere) return exit(0);
    const lines = [["A sync started here is still running. Quitting interrupts it."]];
    confirm(context, { title: "Leave?", lines, yes: "leave", no: "stay" }, () => exit(0));
  };

  const follow = (id: number): void => state.change({ started: [...state.now.started, id] });

  const switchLetterKeys = (): void => {
    const isOn = !state.now.hasLetterKeys;
    const said = isOn ? "Letter keys are on." : "Letter keys are off. Ctrl-K has every command, Ctrl-T turns them on.";
    state.change({ hasLetterKeys: isOn, said });
  };

  const pressAnywhere = (one: Press): void => {
    const letter = getLetter(one);
    const step = one.name === "tab" ? 1 : one.name === "backTab" ? -1 : 0;
    const digit = letter === null ? undefined : TABS[Number(letter) - 1];
    if (step !== 0) state.change({ tab: TABS[(TABS.indexOf(state.now.tab) + step + TABS.length) % TABS.length]! });
    else if (digit) state.change({ tab: digit });
    else if (one.name === "click") return clicked(one);
    else if (letter === "q") leave();
    else if (letter === "r") state.change({ refreshes: state.now.refreshes + 1, said: "Reloaded." });
    else if (letter === "a" || letter === "n") askForQsos(context);
    else if (one.name === "palette")
      askForCommand(context, {
        press: pressed,
        hints: screen.hints,
        hasLetterKeys: state.now.hasLetterKeys,
        onSyncStarted: follow,
        switchLetterKeys,
      });
    else if (letter === "s") askToSync(context, follow);
    else if (letter === "?")
      ask({
        title: "Keys (any key closes)",
        lines: renderHelp(screen, hasLetterKeys, size.width),
        press: () => ask(null),
      });
  };

  const clicked = ({ row, column }: { row: number; column: number }): void => {
    const tab = row === 0 ? findTab(column) : null;
    if (tab) state.change({ tab });
  };

  const press = (one: Press): void => {
    if (one.name === "interrupt") return exit(INTERRUPTED);
    if (state.now.said !== null) state.change({ said: null });
    if (one.name === "letterKeys") return switchLetterKeys();
    if (state.now.question) return state.now.question.press(one);
    const isOff = !state.now.hasLetterKeys && !screen.isTyping;
    if (isOff && one.name === "letter" && !one.isCommand) return;
    const onScreen = one.name === "click" ? { ...one, row: one.row - HEAD_HEIGHT } : one;
    if (!screen.keys(onScreen)) pressAnywhere(one);
  };
  const pressed = usePresses(press);
  useInput((input, key) => pressed(parsePresses(input, key)));
  useEffect(() => void (mouse.hear = pressed), []);

  const panel = question === null || isTooSmall ? null : placePanel(question, size, isPlain);
  const found = panel === null ? findPosition(screen.lines) : findPosition(panel.lines);
  const { x, y } = found ?? (panel === null || isPlain ? { x: 0, y: 0 } : FIRST_INSIDE);
  useCursor().setCursorPosition(
    isTooSmall ? undefined : { x: (panel?.left ?? 0) + x, y: HEAD_HEIGHT + (panel?.top ?? 0) + y },
  );

  const head = isTooSmall ? renderTooSmall(columns, rows) : renderHead(tab, who, columns, isPlain);
  const foot = isTooSmall
    ? []
    : renderFoot(
        { tab, screen: question === null ? screen : DIALOG, said, problem, jobs, isPlain, hasLetterKeys },
        columns,
      );
  return (
    <Ground value={theme}>
      <Box flexDirection="column" height={rows} width={columns}>
        <Lines lines={head} />
        <Box flexDirection="column" height={size.height} overflow="hidden">
          {!(isPlain && panel) && <Lines lines={screen.lines} />}
          {panel !== null && (
            <Box position="absolute" top={panel.top} left={panel.left}>
              <Lines lines={panel.lines} />
            </Box>
          )}
        </Box>
        <Lines lines={foot} />
      </Box>
    </Ground>
  );
};

/** Copies text to the clipboard (OSC 52). Most terminals support it, some only if enabled. */
const toClipboard = (text: string): string => `\x1b]52;c;${Buffer.from(text).toString("base64")}\x07`;

/** A dialog names its own keys; those of the screen below do nothing. */
const DIALOG: Screen = { ...UNSEEN, isTyping: true };

/** The first letter inside a frame. */
const FIRST_INSIDE = { x: 2, y: 1 };

const renderTooSmall = (columns: number, rows: number): Line[] => [
  [`Terminal too small: ${columns}×${rows}.`],
  [`qsolog needs ${NARROWEST}×${LOWEST}.`],
];

/** The current question in the middle of the screen; in plain mode without a frame, and alone. */
const placePanel = (
  { title, lines }: Question,
  size: Size,
  isPlain: boolean,
): { lines: readonly Line[]; top: number; left: number } => {
  if (isPlain) return { lines: fitHeight([[[title, "title"]], ...lines], size.height), top: 0, left: 0 };
  const framed = drawFrame(title, lines, size);
  return {
    lines: framed,
    top: Math.max(0, Math.floor((size.height - framed.length) / 2)),
    left: Math.max(0, Math.floor((size.width - measureLine(framed[0]!)) / 2)),
  };
};
