/** @jsxImportSource react */
import { render } from "ink";
import { INTERRUPTED, hasUtf8Locale } from "../terminal.ts";
import { App, type AppProps } from "./app.tsx";
import { MOUSE_OFF, MOUSE_ON, addMouse, wrapInAscii, type Mouse } from "./streams.ts";

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

interface Props extends Omit<AppProps, "send" | "mouse"> {
  hasMouse: boolean;
}

/** Runs the screens and returns the exit code. The terminal is always restored. */
export const openScreens = async ({ hasMouse, ...props }: Props): Promise<number> => {
  const send = (sequence: string) => void process.stdout.write(sequence);
  const mouse: Mouse = { hear: null };
  const screens = render(<App {...props} send={send} mouse={mouse} />, {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
    isScreenReaderEnabled: false,
    ...(hasMouse ? { stdin: addMouse(process.stdin, mouse) } : {}),
    ...(hasUtf8Locale(process.env) ? {} : { stdout: wrapInAscii(process.stdout) }),
  });
  const ended = Promise.withResolvers<number>();
  const interrupt = () => ended.resolve(INTERRUPTED);
  const crash = (error: unknown) => ended.reject(error);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.stdin.on("end", interrupt);
  if (hasMouse) send(MOUSE_ON);
  try {
    return await Promise.race([screens.waitUntilExit() as Promise<number>, ended.promise]);
  } finally {
    if (hasMouse) send(MOUSE_OFF);
    screens.unmount();
    for (const signal of SIGNALS) process.off(signal, interrupt);
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    process.stdin.off("end", interrupt);
    process.stdin.pause();
  }
};
