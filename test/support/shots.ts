// Takes screenshots of every page and screen of a demo: light, dark, small, and in two terminal sizes. bun run shots
// [folder]; bun run shots --readme takes those of the README.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { aBrowser, BROWSER, type Browser } from "./browser.ts";
import { PAGES } from "./demo-pages.ts";
import { cleanUp } from "./cleanup.ts";
import { inTerminal } from "./pseudo-terminal.ts";
import { cleanEnvironment, ROOT } from "./qsolog.ts";
import { screenOf } from "../tui/screen.ts";
import { terminalPage } from "./terminal-picture.ts";

const LOOKS = [
  { name: "light", width: 1200, dark: false },
  { name: "dark", width: 1200, dark: true },
  { name: "small", width: 360, dark: false },
] as const;

const CANNED = ["dashboard", "settings", "log", "admin-users", "job"].flatMap((name) => [
  `/dev/gallery/${name}/empty`,
  `/dev/gallery/${name}/hostile`,
]);

/** The screens of the terminal, each with the keys that lead there from the previous one. */
const SCREENS: readonly (readonly [name: string, ...keys: string[]])[] = [
  ["dashboard"],
  ["help", "?"],
  ["log", "\x1b", "2"],
  ["qso", "\r"],
  ["why", "w"],
  ["new-qso", "\x1b", "n", "ja1abc"],
  ["palette", "\x1b", "\x0b"],
  ["filter", "\x1b", "f"],
  ["duplicates", "\x1b", "d"],
  ["reconcile", "\x1b", "R"],
  ["awards", "\x1b", "3"],
  ["award", "\r"],
  ["needed", "w"],
  ["jobs", "\x1b", "\x1b", "4"],
  ["job", "j", "\r"],
  ["job-fields", "v"],
  ["left-over", "l"],
  ["rollback", "x"],
  ["sync", "\x1b", "\x1b", "s"],
];
const SIZES = [
  { cols: 80, rows: 24 },
  { cols: 200, rows: 60 },
] as const;

/** The screenshots in the README. */
const README = [
  { file: "dashboard-light", path: "/", width: 1100, height: 760, dark: false },
  { file: "dashboard-dark", path: "/", width: 1100, height: 760, dark: true },
  { file: "award", path: "/awards/dxcc", width: 1100, height: 820, dark: false },
  { file: "job", path: "/jobs/7", width: 1100, height: 760, dark: false },
  { file: "phone", path: "/", width: 390, height: 760, dark: true },
] as const;
const README_FOLDER = join(ROOT, "docs/images");
const MAX_README_IMAGE_BYTES = 150_000;
const TERMINAL = { cols: 100, rows: 27 };
const A_FRAME_MS = 500;

const MIN_HEIGHT = 600;
const TALLEST = 4_000;

const startDemo = async () => {
  const child = Bun.spawn(["bun", join(ROOT, "test/gallery/serve.ts")], {
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  for await (const chunk of child.stdout) if ((said += new TextDecoder().decode(chunk)).includes("\n")) break;
  const { url, dataDir, passwords } = JSON.parse(said) as {
    url: string;
    dataDir: string;
    passwords: Record<string, string>;
  };
  return { child, url, dataDir, passwordOf: (name: string) => passwords[name]! };
};

type Demo = Awaited<ReturnType<typeof startDemo>>;

const signIn = async (browser: Browser, who: string, { passwordOf }: Demo): Promise<void> => {
  await browser.open("/login");
  await browser.fill("#login-username", who);
  await browser.fill("#login-password", passwordOf(who));
  await browser.click("#login button");
  await browser.at("/");
};

const main = async (words: readonly string[]): Promise<void> => {
  if (BROWSER === null) return console.log("There is no browser on this machine.");
  const demo = await startDemo();
  try {
    if (words[0] === "--readme") await forReadme(demo);
    else {
      const folder = words[0] ?? join(ROOT, "shots");
      mkdirSync(folder, { recursive: true });
      await everyScreen(demo, folder);
      await everyPage(demo, folder);
      console.log(`The pictures are in ${folder}.`);
    }
  } finally {
    await cleanUp();
    demo.child.kill("SIGTERM");
    await demo.child.exited;
  }
};

const everyPage = async (demo: Demo, folder: string): Promise<void> => {
  for (const { name: look, ...how } of LOOKS) {
    for (const [who, pages] of Object.entries({ ...PAGES, bob: [...PAGES.bob, ...CANNED] })) {
      const browser = await aBrowser(demo.url, how);
      if (who !== "nobody") await signIn(browser, who, demo);
      for (const path of pages) {
        await sized(browser, how.width, MIN_HEIGHT);
        await browser.open(path);
        await sized(browser, how.width, Number(await browser.look("document.documentElement.scrollHeight")));
        const file = join(
          folder,
          `${look}${who === "ann" ? "-ann" : ""}${path.replaceAll(/[/?=+:]/g, "-").replace(/-$/, "-dashboard")}.png`,
        );
        await Bun.write(file, await browser.view.screenshot());
        const tooWide = Number(await browser.look("document.documentElement.scrollWidth")) - how.width;
        if (tooWide > 0) console.log(`${file} is ${tooWide} pixels too wide`);
        for (const words of browser.complaints.splice(0)) console.log(`${path}: ${words}`);
      }
    }
  }
};

/** Also as text. */
const everyScreen = async ({ dataDir }: Demo, folder: string): Promise<void> => {
  const env = cleanEnvironment({ QSOLOG_DATA_DIR: dataDir, QSOLOG_USER: "bob" });
  const browser = await aBrowser("");
  for (const theme of ["dark", "light"] as const) {
    for (const size of SIZES) {
      const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "tui", "--theme", theme], env, size);
      while (!terminal.text().includes("QSOs")) await Bun.sleep(A_FRAME_MS);
      for (const [name, ...keys] of SCREENS) {
        for (const key of keys) {
          terminal.type(key);
          await Bun.sleep(A_FRAME_MS);
        }
        await Bun.sleep(A_FRAME_MS);
        const file = join(folder, `terminal-${size.cols}x${size.rows}-${theme}-${name}`);
        if (theme === "dark") await Bun.write(`${file}.txt`, screenOf(terminal.text(), size));
        await Bun.write(`${file}.png`, await pictureOf(browser, terminal.text(), size, theme));
      }
      terminal.child.kill();
      await terminal.exited;
    }
  }
};

const pictureOf = async (browser: Browser, ...written: Parameters<typeof terminalPage>): Promise<Blob> => {
  await browser.open(`data:text/html;base64,${Buffer.from(terminalPage(...written)).toString("base64")}`);
  const { width, height } = (await browser.look<{ width: number; height: number }>(
    "document.body.getBoundingClientRect().toJSON()",
  ))!;
  await sized(browser, Math.ceil(width), Math.ceil(height), 0);
  return browser.view.screenshot();
};

const forReadme = async (demo: Demo): Promise<void> => {
  mkdirSync(README_FOLDER, { recursive: true });
  for (const { file, path, width, height, dark } of README) {
    const browser = await aBrowser(demo.url, { width, dark });
    await signIn(browser, "bob", demo);
    await browser.view.cdp("Emulation.setScrollbarsHidden", { hidden: true });
    await sized(browser, width, height);
    await browser.open(path);
    await keep(await browser.view.screenshot(), file);
  }
  const browser = await aBrowser("");
  await keep(await pictureOf(browser, await aTerminal(demo), TERMINAL), "terminal");
};

const keep = async (picture: Blob, name: string): Promise<void> => {
  const file = join(README_FOLDER, `${name}.png`);
  await Bun.write(file, picture);
  const { size } = statSync(file);
  console.log(`${file}: ${Math.round(size / 1000)} kB${size > MAX_README_IMAGE_BYTES ? ", TOO LARGE" : ""}`);
};

/** The output of the screens until the award matrix appears. */
const aTerminal = async ({ dataDir }: Demo): Promise<string> => {
  const env = cleanEnvironment({ QSOLOG_DATA_DIR: dataDir, QSOLOG_USER: "bob" });
  const terminal = inTerminal(["bun", join(ROOT, "cli/main.ts"), "tui"], env, TERMINAL);
  let written = "";
  const goOn = async (keys: string) => {
    terminal.type(keys);
    await Bun.sleep(A_FRAME_MS);
    written = terminal.text();
  };
  while (!terminal.text().includes("QSOs")) await Bun.sleep(A_FRAME_MS);
  for (const [key, words] of [
    ["3", "OF GOAL"],
    ["\r", "row 1 of"],
  ] as const) {
    await goOn(key);
    while (!screenOf(written, TERMINAL).includes(words)) await goOn("");
  }
  terminal.type("qq");
  await terminal.exited;
  return written;
};

const sized = async ({ view }: Browser, width: number, height: number, shortest = MIN_HEIGHT): Promise<void> => {
  const size = {
    width,
    height: Math.min(TALLEST, Math.max(shortest, height)),
    deviceScaleFactor: 1,
    mobile: width < 500,
  };
  await view.cdp("Emulation.setDeviceMetricsOverride", size);
};

await main(process.argv.slice(2));
process.exit(0);
