import { expect, test } from "bun:test";
import { Layout, type Frame } from "../../views/layout.tsx";
import { exhibits, hostile } from "../gallery/exhibits.tsx";
import { markupOf } from "./markup.ts";

const plain = (text: string) => text;
const names = Object.keys(exhibits(plain, "usual"));

// Invariant: untrusted text never becomes markup
// Defence: every untrusted text is escaped
test.each(names)("%s contains nothing active, and the same elements, with any texts", async (name) => {
  const good = await markupOf(String(await exhibits(plain, "usual")[name]!()));
  const bad = await markupOf(String(await exhibits(hostile, "usual")[name]!()));

  expect(good.elements.length).toBeGreaterThan(2);
  expect(bad.live).toEqual([]);
  expect(bad.elements).toEqual(good.elements);
});

// Defence: every untrusted text is escaped
test("the frame shows hostile names as text", async () => {
  const frame: Frame = {
    base: "/",
    path: "",
    query: hostile("?search=x"),
    assets: {
      style: "assets/style.x.css",
      font: "assets/inter.x.woff2",
      htmx: "assets/htmx.x.js",
      icon: "assets/icon.x.svg",
    },
    script: null,
    user: { username: hostile("bob"), callsign: hostile("YU1BOB"), isAdmin: true },
    actingFor: { administrator: hostile("ann"), minutesLeft: 12 },
    now: 0,
  };
  const page = await markupOf(String(Layout({ frame, title: hostile("Dashboard"), children: "" })));

  expect(page.live.filter((one) => one !== "href=/")).toEqual([]);
  expect(page.elements.filter((one) => one.startsWith("script"))).toEqual(["script src defer"]);
});

test("the check finds active content", async () => {
  const { live } = await markupOf(
    `<script>x</script><p onclick="x"></p><a href="javascript:x">x</a><a href="//elsewhere.test/">x</a><img src="x">`,
  );

  expect(live).toHaveLength(5);
});
