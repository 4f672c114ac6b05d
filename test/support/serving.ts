import { afterTest } from "./cleanup.ts";
import { cleanEnvironment, QSOLOG } from "./qsolog.ts";

/** A server process that listens already. It ends with the test. */
export const serving = async (env: Record<string, string>, flags: readonly string[] = []) => {
  const child = Bun.spawn([...QSOLOG, "serve", ...flags], {
    // Not the source folder, because operators start it from anywhere.
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

/** The output of a process up to the expected text. The stream stays open. */
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
