// Serves the demo with a page for every view, with canned data, at /dev/gallery: bun run gallery [PORT]
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDemoWorld } from "../../src/demo/world.ts";
import { serve } from "../../src/main.ts";
import { GALLERY_PAGES } from "./pages.tsx";

const dataDir = mkdtempSync(join(tmpdir(), "qsolog-gallery-"));
const outside = { clock: Date.now, random: randomBytes };
const demo = await createDemoWorld({ dataDir, port: process.argv[2] ?? "0", ...outside });
const options = { ...outside, say: () => {}, echoLogTo: null, migrate: true, morePages: GALLERY_PAGES };
const server = await serve(demo.config, options);
console.log(
  JSON.stringify({ url: server.url, gallery: `${server.url}/dev/gallery`, dataDir, passwords: demo.passwords }),
);

const stop = () =>
  void server
    .stop()
    .then(() => demo.stop())
    .then(() => {
      rmSync(dataDir, { recursive: true });
      process.exit();
    });
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
