import { afterTest } from "./cleanup.ts";

/** Without a window to draw, the headless shell shows the same page in two thirds of the processor time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
];
const PATIENCE_MS = 40_000;
const LOOK_EVERY_MS = 30;
const MAX_TRIES = 5;

/** Null if this machine has no supported browser. */
export const BROWSER: string | null = NAMES.map((name) => Bun.which(name)).find((path) => path !== null) ?? null;

/** Suggestions of the address bar are rendered as two more pages, which takes a quarter of the time of each page. */
const NO_SUGGESTIONS = "--disable-features=PaintHolding,WebUIOmniboxPopup,WebUIOmniboxAimPopup";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A badge that is replaced shifts the layout by 0.0001. */
const NO_MOVE = 0.001;

const WATCH = `(window.moves = [], new PerformanceObserver((list) => {
  const boxOf = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(" ");
  for (const { value, sources } of list.getEntries()) window.moves.push({ value, what: sources.map(
    ({ node, previousRect, currentRect }) =>
      (node?.id || node?.className || node?.nodeName) + " " + boxOf(previousRect) + " -> " + boxOf(currentRect)) });
}).observe({ type: "layout-shift" }))`;

interface Options {
  width?: number;
  dark?: boolean;
  scripts?: boolean;
}

/** A real browser with one page, its requests, and its warnings. */
export const aBrowser = async (origin: string, { width = 1200, dark = false, scripts = true }: Options = {}) => {
  const view = new Bun.WebView({
    width,
    height: 900,
    backend: { type: "chrome", path: BROWSER!, argv: ["--no-sandbox", NO_SUGGESTIONS] },
  });
  afterTest(() => view.close());
  const requests: string[] = [];
  const complaints: string[] = [];
  await view.navigate("about:blank");
  const on = (event: string, heard: (data: never) => void) =>
    view.addEventListener(event, (message) => heard((message as MessageEvent).data as never));
  on("Network.requestWillBeSent", ({ request }: { request: { method: string; url: string } }) =>
    requests.push(`${request.method} ${request.url.replace(origin, "")}`),
  );
  on("Log.entryAdded", ({ entry }: { entry: { level: string; text: string; url?: string } }) => {
    if (entry.level === "error") complaints.push(`${entry.text} ${entry.url ?? ""}`);
  });
  on("Runtime.exceptionThrown", ({ exceptionDetails }: { exceptionDetails: { text: string } }) =>
    complaints.push(exceptionDetails.text),
  );
  on("Runtime.consoleAPICalled", ({ type, args }: { type: string; args: { value?: unknown }[] }) => {
    if (type === "error" || type === "warning") complaints.push(args.map(({ value }) => String(value)).join(" "));
  });
  for (const domain of ["Network", "Log", "Runtime"]) await view.cdp(`${domain}.enable`);
  await view.cdp("Network.clearBrowserCookies");
  await view.cdp("Emulation.setEmulatedMedia", {
    features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }],
  });
  const resize = (wide: number) =>
    view.cdp("Emulation.setDeviceMetricsOverride", { width: wide, height: 900, deviceScaleFactor: 1, mobile: false });
  await resize(width);
  if (!scripts) await view.cdp("Emulation.setScriptExecutionDisabled", { value: true });

  const look = async <T>(expression: string): Promise<T | undefined> => {
    try {
      return (await view.evaluate(expression)) as T;
    } catch {
      return undefined;
    }
  };
  /** Waits until the expression is true in the page. */
  const until = async (expression: string): Promise<void> => {
    const end = performance.now() + PATIENCE_MS;
    while (!(await look(`Boolean(${expression})`))) {
      if (performance.now() > end) {
        const there = await look<string>("document.location.href + ' ' + document.body.innerText.slice(0, 800)");
        throw new Error(`never came true: ${expression}\non ${there}`);
      }
      await Bun.sleep(LOOK_EVERY_MS);
    }
  };
  const at = (path: string) =>
    until(`location.pathname === ${JSON.stringify(path)} && document.readyState === "complete"`);
  /** An earlier navigation, such as a form's response, can interrupt the first attempt. */
  const open = async (path: string): Promise<void> => {
    await look("(window.isOld = true)");
    for (let tries = 1; ; tries++) {
      try {
        await view.navigate(origin + path);
        break;
      } catch (error) {
        if (tries === MAX_TRIES) throw error;
        await look("(window.isOld = true)");
      }
    }
    await until(`!window.isOld && document.readyState === "complete"`);
  };
  return {
    origin,
    view,
    requests,
    complaints,
    look,
    until,
    at,
    open,
    resize,
    shows: (words: string) => until(`document.body?.innerText.includes(${JSON.stringify(words)})`),
    text: async (selector = "main") =>
      (await look<string>(`document.querySelector(${JSON.stringify(selector)})?.innerText`)) ?? "",
    /** Clicks where the element is on the screen. */
    click: async (selector: string) => {
      const found = `document.querySelector(${JSON.stringify(selector)})`;
      await until(found);
      const box = `(${found}.scrollIntoView({ block: "center" }), ${found}.getBoundingClientRect().toJSON())`;
      const { x, y, width: wide, height } = (await look<Box>(box))!;
      await view.click(x + wide / 2, y + height / 2);
    },
    fill: async (selector: string, text: string) => {
      await until(`document.querySelector(${JSON.stringify(selector)})`);
      await look(
        `(document.querySelector(${JSON.stringify(selector)}).focus(), document.querySelector(${JSON.stringify(selector)}).select?.())`,
      );
      await view.type(text);
    },
    /** Starts recording layout shifts. */
    watch: () => look(WATCH),
    /** The recorded layout shifts, if any. */
    moves: async (): Promise<string[]> => {
      const moves = (await look<{ value: number; what: string[] }[]>("window.moves")) ?? [];
      const isMuch = moves.reduce((sum, { value }) => sum + value, 0) >= NO_MOVE;
      return isMuch ? moves.flatMap(({ value, what }) => [value.toFixed(4), ...what]) : [];
    },
    count: (request: string) => requests.filter((one) => one.startsWith(request)).length,
  };
};

export type Browser = Awaited<ReturnType<typeof aBrowser>>;
