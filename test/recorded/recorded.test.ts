import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { API_ROUTES } from "../../src/server/api-routes.ts";
import { compareWithRecorded, PATIENCE_MS, readRecording } from "./answers.ts";
import { demoProgram, emptyProgram, newest } from "./program.ts";
import * as ask from "./questions.ts";
import { Recorder } from "./recorder.ts";
import { playStory, STORY_OF_PREVIEW } from "./story.ts";
import { isFull } from "../support/full.ts";
import { ENGINE } from "../support/world.ts";

const ANSWERS = join(import.meta.dir, "answers");
const IS_FULL = isFull(import.meta);

interface Log {
  name: string;
  folder: string;
  contacts: number;
  servicesSince: number;
  isLarge: boolean;
}

const SMALL: Log = {
  name: "3,000",
  folder: "log-of-3000",
  contacts: STORY_OF_PREVIEW,
  servicesSince: 0,
  isLarge: false,
};
const LARGE: Log = {
  name: "20,000",
  folder: "log-of-20000",
  contacts: 20_000,
  servicesSince: Date.UTC(2019, 0),
  isLarge: true,
};

const testLog = ({ name, folder, contacts, servicesSince, isLarge }: Log, isRun: boolean): void =>
  test.skipIf(ENGINE !== "sqlite" || !isRun)(
    `the answers about a log of ${name} contacts equal the recorded ones`,
    async () => {
      const { program, ...story } = await playStory(await emptyProgram(), contacts, servicesSince);
      const log = new Recorder(program);
      const { jobs, moments } = story;
      const ids = await newest(program, 12);
      await log.group("contacts", ask.askAboutContacts);
      await log.group("single-contacts", () => ask.askForSingleContacts(log, [1, 2, 3, 40, ...ids]));
      await log.group("statistics", ask.askAboutStatistics);
      await log.group("awards", ask.askAboutSomeAwards);
      if (!isLarge) await log.group("files", () => ask.askForFiles(log, { isWhole: false }));
      await log.group("jobs", () => ask.askAboutJobs(log, Math.max(...Object.values(jobs))));
      const then = `asOf=${moments.afterTakingOut}`;
      await log.group("past", () => log.each([`/api/stats?${then}`, `/api/qsos?limit=1&sort=-updatedAt&${then}`]));
      await log.group("rest", ask.askAboutTheRest);
      await log.group("refusals", ask.askWhatIsRefused);
      await log.group("people", ask.askAboutPeople);
      await log.group("pages", ask.askForPages);
      await log.group("programs", () => ask.askPrograms(log, story));
      await log.group("commands", ask.askSomeCommands);
      await log.group("changes", () => ask.askForChanges(log, jobs, ids, "?from=2022-01-01"));

      expect(compareWithRecorded(join(ANSWERS, folder), log.recording)).toEqual([]);
    },
    PATIENCE_MS,
  );

// The order of fields in an export depends on what the process did before, so the log of the short form comes first.
testLog(SMALL, true);

// In the short form the log of 3,000 contacts stands for these two.
test.skipIf(ENGINE !== "sqlite" || !IS_FULL)(
  "the answers about the demo equal the recorded ones",
  async () => {
    const log = new Recorder(await demoProgram());
    const ids = await newest(log.program, 6);
    await log.group("contacts", ask.askAboutContacts);
    await log.group("single-contacts", () => ask.askForSingleContacts(log, [1, 2, ...ids]));
    await log.group("statistics", ask.askAboutStatistics);
    await log.group("files", () => ask.askForFiles(log));
    await log.group("jobs", () => ask.askAboutJobs(log, 8));
    await log.group("people", ask.askAboutPeople);
    await log.group("pages", ask.askForPages);
    await log.group("commands", ask.askCommands);

    expect(compareWithRecorded(join(ANSWERS, "demo"), log.recording)).toEqual([]);
  },
  PATIENCE_MS,
);

testLog(LARGE, IS_FULL);

test("every route that reads has a recorded answer", () => {
  const folders = [
    ...readdirSync(ANSWERS).map((folder) => join(ANSWERS, folder)),
    join(import.meta.dir, "../fixtures/preview/answers"),
  ];
  const asked = folders.flatMap((folder) =>
    [...readRecording(folder).values()].flatMap((answers) => [...answers.keys()]),
  );
  const isAsked = (path: string) => {
    const pattern = new RegExp(`GET ${path.replace(/:\w+/g, "[^/?]+")}(\\?|$)`);
    return asked.some((one) => pattern.test(one));
  };

  const routes = API_ROUTES.filter(({ spec }) => spec.method === "GET").map(({ spec }) => spec.path);
  expect(routes.filter((path) => !isAsked(path))).toEqual([]);
  expect(asked.length).toBeGreaterThan(800);
});
