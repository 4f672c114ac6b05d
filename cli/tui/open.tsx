/** @jsxImportSource react */
import { render } from "ink";
import { App, INTERRUPTED, type AppProps } from "./app.tsx";

const SIGNALS = ["SIGTERM", "SIGHUP", "SIGINT"] as const;

/** Shows the screens until somebody leaves, and gives the exit code. The terminal is put back whatever happens. */
export const openScreens = async (props: AppProps): Promise<number> => {
  const screens = render(<App {...props} />, {
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    interactive: true,
  });
  const ended = Promise.withResolvers<number>();
  const interrupt = () => ended.resolve(INTERRUPTED);
  const crash = (error: unknown) => ended.reject(error);
  for (const signal of SIGNALS) process.on(signal, interrupt);
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.stdin.on("end", interrupt);
  try {
    return await Promise.race([screens.waitUntilExit() as Promise<number>, ended.promise]);
  } finally {
    screens.unmount();
    for (const signal of SIGNALS) process.off(signal, interrupt);
    process.off("uncaughtException", crash);
    process.off("unhandledRejection", crash);
    process.stdin.off("end", interrupt);
    process.stdin.pause();
  }
};
