import { expect, test } from "bun:test";
import { join } from "node:path";
import { openCredentials } from "../../src/sync/source/credentials.ts";
import { ACCOUNTS, signedByPasskey } from "../fixtures/preview/accounts.ts";
import { codeAt } from "../support/factors.ts";
import { isFull } from "../support/full.ts";
import { aConvertedPreview } from "../support/preview.ts";
import { ENGINE } from "../support/world.ts";
import { compareWithoutNumbers, compareWithRecorded, PATIENCE_MS } from "./answers.ts";
import { emptyProgram, newest, programOn } from "./program.ts";
import * as ask from "./questions.ts";
import { Recorder } from "./recorder.ts";
import { playStory, STORY_OF_PREVIEW } from "./story.ts";

const ANSWERS = join(import.meta.dir, "../fixtures/preview/answers");

/** The program on the stored database, after conversion. */
const aPreview = async () => programOn((await aConvertedPreview()).directory, ACCOUNTS.at);

// The short form reads every converted row (deploy/convert-preview) and signs in.
test.skipIf(ENGINE !== "sqlite" || !isFull(import.meta))(
  "the database of the preview, converted, gives the same answers as before",
  async () => {
    const log = new Recorder(await aPreview());
    await log.group("people", ask.askAboutPeople);
    await ask.askAboutPreview(log, ACCOUNTS);

    expect(compareWithRecorded(ANSWERS, log.recording)).toEqual([]);
  },
  PATIENCE_MS,
);

test.skipIf(ENGINE !== "postgres")(
  "PostgreSQL gives the answers recorded with SQLite",
  async () => {
    const { program, jobs } = await playStory(await emptyProgram(), STORY_OF_PREVIEW);
    const log = new Recorder(program);
    await log.group("statistics", ask.askAboutStatistics);
    await log.group("awards", ask.askAboutAwards);
    await log.group("changes", async () => ask.askForChanges(log, jobs, await newest(program, 4)));

    expect(compareWithoutNumbers(ANSWERS, log.recording)).toEqual([]);
  },
  PATIENCE_MS,
);

test.skipIf(ENGINE !== "sqlite")("all users of the preview can still sign in, in every way", async () => {
  const { app } = await aPreview();
  const { password, appKey, recoveryCodes, tokens, feedKeys } = ACCOUNTS;
  const signIn = async (username: string) => (await app.visitor.post("/api/auth/login", { username, password })).body;
  const answered = async (proof: (question: any) => object) => {
    const question = await signIn("eve");
    return (await app.visitor.post("/api/auth/factor", { challenge: question.challenge, ...proof(question) })).body.user
      ?.username;
  };

  for (const username of ["ann", "bob", "carl"]) expect((await signIn(username)).user).toMatchObject({ username });
  expect(await answered(({ passkey }) => ({ passkey: signedByPasskey(passkey.challenge) }))).toBe("eve");
  expect(await answered(() => ({ code: recoveryCodes[0] }))).toBe("eve");
  app.clock.advance(60_000);
  expect(await answered(() => ({ code: codeAt(appKey, app.clock()) }))).toBe("eve");
  for (const token of Object.values(tokens)) {
    expect((await app.withBearer(token).get("/api/me")).body.user).toMatchObject({ username: "bob" });
  }
  expect((await app.visitor.get(`/api/auth/${feedKeys.v1}`)).text).toContain("<rights>rw</rights>");
  expect((await app.withBearer(feedKeys.v2).get("/api/v2/token")).status).toBe(200);
});

test.skipIf(ENGINE !== "sqlite")("the preview's secret decrypts the accounts of both services", async () => {
  const { app, users } = await aPreview();
  const opened = (source: "first" | "second") => openCredentials(app, users.bob!.id, source);

  expect(await opened("first")).toMatchObject({ credentials: { username: "yu1test" } });
  expect(await opened("second")).toMatchObject({ credentials: { apiKey: "AB12-CD34-EF56-0789" } });
});
