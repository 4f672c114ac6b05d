// Makes a picture of every page of a demo: light, dark, and on a small screen. bun run shots [folder]
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { aBrowser, BROWSER, type Browser } from "./browser.ts";
import { cleanUp } from "./cleanup.ts";
import { cleanEnvironment, ROOT } from "./qsolog.ts";

const LOOKS = [
  { name: "light", width: 1200, dark: false },
  { name: "dark", width: 1200, dark: true },
  { name: "small", width: 360, dark: false },
] as const;

const PAGES: Record<"nobody" | "bob" | "ann", readonly string[]> = {
  nobody: ["/login"],
  bob: [
    "/",
    "/log",
    "/log/1",
    "/awards",
    "/awards/dxcc",
    "/awards/was",
    "/awards/vucc",
    "/awards/wpx",
    "/jobs",
    "/jobs/7",
    "/jobs/7/rollback",
    "/settings",
    ...["dashboard", "settings", "log", "admin-users", "job"].flatMap((name) => [
      `/dev/gallery/${name}/empty`,
      `/dev/gallery/${name}/hostile`,
    ]),
  ],
  ann: ["/admin", "/admin/users", "/admin/actions"],
};

const SHORTEST = 600;
const TALLEST = 4_000;

const startDemo = async () => {
  const child = Bun.spawn(["bun", join(ROOT, "cli/main.ts"), "demo", "--port", "0"], {
    env: cleanEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const listen = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) said += new TextDecoder().decode(chunk);
  };
  void listen(child.stdout);
  void listen(child.stderr);
  while (!/listening on \S+\n/.test(said) || !/^bob .*: /m.test(said)) await Bun.sleep(20);
  const passwordOf = (name: string) => said.match(new RegExp(`^${name} .*: (\\S+)$`, "m"))![1]!;
  return { child, url: said.match(/listening on (\S+)/)![1]!, passwordOf };
};

const main = async (folder: string): Promise<void> => {
  if (BROWSER === null) return console.log("There is no browser on this machine.");
  mkdirSync(folder, { recursive: true });
  const { child, url, passwordOf } = await startDemo();
  for (const { name: look, ...how } of LOOKS) {
    for (const [who, pages] of Object.entries(PAGES)) {
      const browser = await aBrowser(url, how);
      if (who !== "nobody") {
        await browser.open("/login");
        await browser.fill("#login-username", who);
        await browser.fill("#login-password", passwordOf(who));
        await browser.click("#login button");
        await browser.at("/");
      }
      for (const path of pages) {
        await sized(browser, how.width, SHORTEST);
        await browser.open(path);
        await sized(browser, how.width, Number(await browser.look("document.documentElement.scrollHeight")));
        const file = join(folder, `${look}${path.replaceAll("/", "-").replace(/-$/, "-dashboard")}.png`);
        await Bun.write(file, await browser.view.screenshot());
        const tooWide = Number(await browser.look("document.documentElement.scrollWidth")) - how.width;
        if (tooWide > 0) console.log(`${file} is ${tooWide} pixels too wide`);
        for (const words of browser.complaints.splice(0)) console.log(`${path}: ${words}`);
      }
    }
  }
  await cleanUp();
  child.kill("SIGTERM");
  await child.exited;
  console.log(`The pictures are in ${folder}.`);
};

const sized = async ({ view }: Browser, width: number, height: number): Promise<void> => {
  const size = { width, height: Math.min(TALLEST, Math.max(SHORTEST, height)), deviceScaleFactor: 1, mobile: false };
  await view.cdp("Emulation.setDeviceMetricsOverride", size);
};

await main(process.argv[2] ?? join(ROOT, "shots"));
process.exit(0);
