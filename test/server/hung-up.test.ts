import { expect, test } from "bun:test";
import { byOwner, type LogCaller } from "../../src/logbook/caller.ts";
import * as awards from "../../src/logbook/awards.ts";
import { listDuplicates } from "../../src/logbook/duplicates.ts";
import { figure } from "../../src/logbook/figures.ts";
import { needs } from "../../src/logbook/need.ts";
import { reconcile } from "../../src/logbook/reconcile.ts";
import { atAGlance, statistics } from "../../src/logbook/statistics.ts";
import { testApp, type TestApp } from "../support/app.ts";

/** Every question that reads a whole log. */
const QUESTIONS: Record<string, (app: TestApp, asker: LogCaller) => Promise<unknown>> = {
  statistics: (app, asker) => statistics(app, asker, {}),
  dashboard: (app, asker) => atAGlance(app, asker),
  figures: (app, asker) => figure(app, asker, "hours"),
  awards: (app, asker) => awards.awards(app, asker),
  award: (app, asker) => awards.award(app, asker, "was"),
  "award page": (app, asker) => awards.awardSheet(app, asker, "was", {}),
  needed: (app, asker) => awards.needed(app, asker, "was"),
  matrix: (app, asker) => awards.matrix(app, asker, "was"),
  need: (app, asker) => needs(app, asker, [{ call: "K1ABC" }]),
  duplicates: (app, asker) => listDuplicates(app, asker, {}),
  reconcile: (app, asker) => reconcile(app, asker, {}),
};

test.each(Object.keys(QUESTIONS))("%s: nothing is computed for a client that has disconnected", async (question) => {
  const app = await testApp();
  const asker: LogCaller = { ...byOwner(app.bob), signal: AbortSignal.abort(new Error("hung up")) };

  const answer = QUESTIONS[question]!(app, asker).then(
    () => "computed",
    (error: Error) => error.message,
  );

  expect(await answer).toBe("hung up");
});
