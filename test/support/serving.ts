import { afterTest } from "./cleanup.ts";
import { cleanEnvironment, QSOLOG } from "./qsolog.ts";

/** A server in a process of its own, as soon as it has said where it listens. It goes with the test. */
export const serving = async (env: Record<string, string>, flags: readonly string[] = []) => {
  const child = Bun.spawn([...QSOLOG, "serve", ...flags], {
    // Not where the sources are: an operator starts it from anywhere.
    cwd: "/",
    env: cleanEnvironment({ QSOLOG_PORT: "0", ...env }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  afterTest(() => child.kill("SIGKILL"));
  const said = await saidUntil(child.stderr, LISTENING);
  return { child, said, url: addressIn(said) };
};

export const LISTENING = /listening on \S+\n/;

export const addressIn = (said: string): string => said.match(/listening on (\S+)/)![1]!;

/** What a process says up to the words waited for. The stream stays open behind them. */
export const saidUntil = async (stream: ReadableStream<Uint8Array>, expected: RegExp): Promise<string> => {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let said = "";
  while (!expected.test(said)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended without saying ${expected}: ${said}`);
    said += decoder.decode(value, { stream: true });
  }
  return said;
};
