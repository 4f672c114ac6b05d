import type { Logbook } from "../../cli/client/logbook.ts";
import { openScreens } from "../../cli/tui/open.tsx";

const kind = process.argv[2];
const broken = new Error(`the ${kind} broke`);

/** A log that crashes the screens in the requested way. */
const client = {
  runsJobsHere: true,
  async jobs() {
    if (kind === "timer") setTimeout(() => raise(), 1);
    if (kind === "promise") void Promise.reject(broken);
    if (kind !== "drawing") return { jobs: [], active: 0, nextCursor: null };
    return { jobs: { map: raise }, active: 0, nextCursor: null };
  },
  stats: () => Promise.withResolvers().promise,
  schedule: () => Promise.withResolvers().promise,
  news: () => Promise.withResolvers().promise,
} as unknown as Logbook;

const raise = (): never => {
  throw broken;
};

const props: Parameters<typeof openScreens>[0] = {
  client,
  clock: Date.now,
  who: "bob",
  theme: "colourless",
  isPlain: false,
  hasLetterKeys: true,
  hasMouse: false,
};
try {
  process.exitCode = await openScreens(props);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
