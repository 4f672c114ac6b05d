import { Layout, type Frame } from "../../views/layout.tsx";
import { exhibits } from "../gallery/exhibits.tsx";

const plain = (text: string) => text;

const frame: Frame = {
  base: "/",
  path: "admin/users",
  query: "?cursor=x",
  assets: {
    style: "assets/style.x.css",
    font: "assets/inter.x.woff2",
    htmx: "assets/htmx.x.js",
    icon: "assets/icon.x.svg",
  },
  script: "assets/passkeys.x.js",
  user: { username: "bob", callsign: "YU1BOB", isAdmin: true },
  actingFor: { administrator: "ann", minutesLeft: 12 },
  now: Date.UTC(2026, 10, 25, 16, 10),
};

const AMOUNTS = ["empty", "usual", "huge"] as const;

/** The markup of every page with canned data, empty and full. */
export const everyView = () =>
  Promise.all(
    AMOUNTS.flatMap((amount) =>
      Object.entries(exhibits(plain, amount)).map(async ([name, view]) => {
        const children = await view();
        return { name, amount, html: String(Layout({ frame, title: "Every view", children })) };
      }),
    ),
  );
