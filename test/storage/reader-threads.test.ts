import { describe, expect, test } from "bun:test";
import type { BackgroundTask } from "../../src/storage/engine/background-thread.ts";
import { ReaderThreads, type LogQuestion, type Waiting } from "../../src/storage/engine/reader-threads.ts";

/** Two fake threads that respond when the test says so. */
const fakeReaders = () => {
  const threads: FakeReader[] = [];
  const readers = new ReaderThreads(() => {
    const thread = new FakeReader();
    threads.push(thread);
    return thread;
  });
  const ask = (userId: number, name: string, waiting?: Waiting, isPreview = false) => {
    const question: LogQuestion = { userId, identity: `${userId} ${name}`, name, args: {}, isPreview };
    return readers.read<unknown>(question, waiting);
  };
  const preview = (userId: number, name: string, waiting?: Waiting) => ask(userId, name, waiting, true);
  /** The current task of each thread. */
  const underWay = () => threads.map(({ task }) => (task ? nameOf(task) : null));
  return { readers, threads, ask, preview, underWay };
};

const nameOf = (task: BackgroundTask): string => {
  if (task.kind === "unit" || task.kind === "preview") return task.name;
  return "key" in task ? `${task.kind} ${task.key}` : task.kind;
};

class FakeReader {
  task: BackgroundTask | null = null;
  readonly dropped: number[] = [];
  isStopped = false;
  isStarted = false;
  #end: PromiseWithResolvers<unknown> | null = null;

  start(): void {
    this.isStarted = true;
  }

  ask<T>(task: BackgroundTask): Promise<T> {
    if (task.kind === "dropPreview") {
      this.dropped.push(task.key);
      return Promise.resolve() as Promise<T>;
    }
    if (this.task) throw new Error("one task at a time");
    this.task = task;
    this.#end = Promise.withResolvers();
    return this.#end.promise as Promise<T>;
  }

  async answer(value: unknown): Promise<void> {
    this.task = null;
    this.#end!.resolve(value);
    await settled();
  }

  async fail(error: Error): Promise<void> {
    this.task = null;
    this.#end!.reject(error);
    await settled();
  }

  /** Ends a slice. */
  pause = (share = 0) => this.answer({ isDone: false, share });
  finish = (value: unknown) => this.answer({ isDone: true, value });

  async stop(): Promise<void> {
    this.isStopped = true;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => null,
    ({ code, rule, retryAfterSeconds }) => ({ code, rule, retryAfterSeconds }),
  );

const [ANN, BOB, EVE] = [1, 2, 3];

// Defence: requests about a large log do not delay other users
describe("reader threads", () => {
  test("a user occupies at most one, and the other is free for others", () => {
    const { ask, threads, underWay } = fakeReaders();

    for (const name of ["a", "b", "c"]) void ask(EVE, name);
    expect(underWay()).toEqual(["a", null]);
    expect(threads.every(({ isStarted }) => isStarted)).toBe(true);

    void ask(BOB, "list");
    expect(underWay()).toEqual(["a", "list"]);
  });

  test("users take turns, however many questions one of them asks", async () => {
    const { ask, threads, underWay } = fakeReaders();
    for (const name of ["a", "b", "c"]) void ask(EVE, name);
    for (const name of ["d", "e"]) void ask(ANN, name);
    void ask(BOB, "list");

    expect(underWay()).toEqual(["a", "d"]);
    await threads[1]!.answer(null);
    expect(underWay()).toEqual(["a", "list"]);
    await threads[0]!.answer(null);

    expect(underWay()).toEqual(["e", "list"]);
  });

  test("a user's ninth waiting question is refused with a time to retry", async () => {
    const { ask, threads } = fakeReaders();
    const answers = Array.from({ length: 9 }, (_, n) => ask(EVE, `question ${n}`));

    const tooMuch = ask(EVE, "one more");
    const known = ask(EVE, "question 3");
    const others = ask(BOB, "list");
    const job = ask(EVE, "of a job", { isNeverRefused: true });

    expect(await refusal(tooMuch)).toEqual({ code: "rate_limited", rule: "too_many_waiting", retryAfterSeconds: 5 });
    await threads[1]!.answer("a page");
    expect(await others).toBe("a page");
    for (let n = 0; n < 10; n++) await threads[0]!.answer(n);
    expect(await Promise.all([...answers, known, job])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 9]);
  });

  test("everybody who waits for a preview gets its progress after each slice", async () => {
    const { preview, threads } = fakeReaders();
    const heard: string[] = [];
    const answers = ["tab", "phone"].map((who) =>
      preview(EVE, "repair", { onProgress: (share) => void heard.push(`${who} ${share}`) }),
    );

    await threads[0]!.pause(0.25);
    await threads[0]!.pause(0.5);
    await threads[0]!.finish("done");

    expect(heard).toEqual(["tab 0.25", "phone 0.25", "tab 0.5", "phone 0.5"]);
    expect(await Promise.all(answers)).toEqual(["done", "done"]);
  });

  test("identical questions share one answer, even while it is being computed", async () => {
    const { ask, threads, underWay } = fakeReaders();
    const answers = Array.from({ length: 20 }, () => ask(EVE, "figures"));

    await threads[0]!.answer(42);

    expect(await Promise.all(answers)).toEqual(Array<unknown>(20).fill(42));
    expect(underWay()).toEqual([null, null]);
    void ask(EVE, "figures");
    expect(underWay()).toEqual(["figures", null]);
  });

  test("a question is dropped before it starts if all its callers have disconnected", async () => {
    const { ask, threads, underWay } = fakeReaders();
    const [one, two, all] = [new AbortController(), new AbortController(), new AbortController()];
    const running = ask(EVE, "a", { signal: all.signal });
    const shared = [one, two].map(({ signal }) => ask(EVE, "b", { signal }));
    const left = ask(EVE, "c", { signal: one.signal });
    const stays = ask(EVE, "d");

    one.abort();
    all.abort();

    expect(await refusal(left)).toMatchObject({ code: "unavailable" });
    expect(await refusal(shared[0]!)).toMatchObject({ code: "unavailable" });
    expect(await refusal(running)).toMatchObject({ code: "unavailable" });
    expect(underWay()).toEqual(["a", null]);
    await threads[0]!.answer(null);
    expect(underWay()).toEqual(["b", null]);
    await threads[0]!.answer("b");
    expect(await shared[1]!).toBe("b");
    await threads[0]!.answer("d");
    expect(await stays).toBe("d");
    expect(await refusal(ask(EVE, "e", { signal: one.signal }))).toMatchObject({ code: "unavailable" });
    expect(underWay()).toEqual([null, null]);
  });

  test("an error reaches all callers, and the next question starts", async () => {
    const { ask, threads, underWay } = fakeReaders();
    const outcomes = [ask(EVE, "a"), ask(EVE, "a")].map(refusal);
    void ask(EVE, "b");

    await threads[0]!.fail(Object.assign(new Error("lost"), { code: "unavailable" }));

    expect(await Promise.all(outcomes)).toMatchObject([{ code: "unavailable" }, { code: "unavailable" }]);
    expect(underWay()).toEqual(["b", null]);
  });

  test("stopping refuses waiting questions and lets running ones finish", async () => {
    const { readers, ask, preview, threads } = fakeReaders();
    const running = ask(EVE, "a");
    const others = [ask(EVE, "b"), preview(BOB, "begun")];
    await threads[1]!.pause();
    const outcomes = [...others, preview(ANN, "not begun")].map(refusal);
    await threads[1]!.pause();

    await readers.stop();

    await threads[0]!.answer("a");
    await threads[1]!.pause();
    expect(await running).toBe("a");
    expect(await Promise.all(outcomes)).toMatchObject(Array(3).fill({ code: "unavailable" }));
    expect(threads.every(({ isStopped, task }) => isStopped && task === null)).toBe(true);
    expect(await refusal(ask(BOB, "late"))).toMatchObject({ code: "unavailable" });
  });
});

// Defence: requests about a large log do not delay other users
describe("previews", () => {
  test("yield between two slices and continue in their own thread", async () => {
    const { ask, preview, threads, underWay } = fakeReaders();
    const answer = preview(EVE, "preview");
    void preview(ANN, "hers");
    const list = ask(BOB, "list");
    expect(underWay()).toEqual(["preview", "hers"]);

    await threads[0]!.pause();
    expect(underWay()).toEqual(["list", "hers"]);
    await threads[1]!.pause();
    expect(underWay()).toEqual(["list", "resumePreview 2"]);
    await threads[0]!.answer("a page");
    expect(await list).toBe("a page");
    expect(underWay()).toEqual(["resumePreview 1", "resumePreview 2"]);
    await threads[0]!.finish("what would change");

    expect(await answer).toBe("what would change");
  });

  test("a user's own short questions run between the slices, and the next preview after the last", async () => {
    const { ask, preview, threads, underWay } = fakeReaders();
    void preview(EVE, "first");
    void preview(EVE, "second");
    void ask(EVE, "list");

    await threads[0]!.pause();
    expect(underWay()).toEqual(["list", null]);
    await threads[0]!.answer(null);
    expect(underWay()).toEqual(["resumePreview 1", null]);
    await threads[0]!.finish(null);
    expect(underWay()).toEqual(["second", null]);
  });

  test("four at most have a snapshot, and the next starts when one is done", async () => {
    const { preview, ask, threads, underWay } = fakeReaders();
    for (let user = 1; user <= 5; user++) void preview(user, `preview of ${user}`);
    for (const thread of [0, 1, 0, 1]) await threads[thread]!.pause();
    expect(underWay()).toEqual(["resumePreview 1", "resumePreview 2"]);

    void ask(6, "list");
    await threads[0]!.finish(null);
    expect(underWay()[0]).toBe("preview of 5");
    await threads[0]!.pause();
    expect(underWay()[0]).not.toBe("preview of 5");
  });

  test("a preview without callers ends after its slice and releases its snapshot", async () => {
    const { preview, threads, underWay } = fakeReaders();
    const [running, paused] = [new AbortController(), new AbortController()];
    const outcomes = [
      preview(EVE, "running", { signal: running.signal }),
      preview(BOB, "paused", { signal: paused.signal }),
    ].map(refusal);
    void preview(ANN, "hers");
    await threads[1]!.pause();
    expect(underWay()).toEqual(["running", "hers"]);

    paused.abort();
    expect(threads[1]!.dropped).toEqual([2]);
    running.abort();
    expect(threads[0]!.dropped).toEqual([]);
    await threads[0]!.pause();

    expect(threads[0]!.dropped).toEqual([1]);
    expect(await Promise.all(outcomes)).toMatchObject([{ code: "unavailable" }, { code: "unavailable" }]);
    expect(underWay()).toEqual([null, "hers"]);
  });
});
