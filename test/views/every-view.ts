import { Layout, type Frame } from "../../views/layout.tsx";
import { exhibits } from "../../views/gallery/exhibits.tsx";

const plain = (text: string) => text;

const frame: Frame = {
  base: "/",
  path: "admin/users",
  assets: { style: "assets/style.x.css", htmx: "assets/htmx.x.js", icon: "assets/icon.x.svg" },
  user: { username: "bob", callsign: "YU1BOB", isAdmin: true },
  actingFor: { administrator: "ann", minutesLeft: 12 },
};

/** The markup of every page with canned data, with nothing to show and with much. */
export const everyView = async (): Promise<string> => {
  const views = (["empty", "usual", "huge"] as const).flatMap((amount) => Object.values(exhibits(plain, amount)));
  const bodies = await Promise.all(views.map((view) => view()));
  return bodies.map((children) => String(Layout({ frame, title: "Every view", children }))).join("");
};
