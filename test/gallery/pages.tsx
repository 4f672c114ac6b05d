/** @jsxImportSource @kitajs/html */
import { AppError } from "../../src/kernel/errors.ts";
import { exhibits, hostile, type Amount } from "./exhibits.tsx";
import { Gallery } from "./gallery.tsx";
import { only, Text, words } from "../../src/server/http/shapes.ts";
import { pageRoute } from "../../src/server/pages/page-route.ts";

const Exhibit = only({ name: Text, amount: words(["empty", "usual", "huge", "hostile"] as const) });

/** Every view with canned data, for work on their appearance. Served by `bun run gallery`. */
export const GALLERY_PAGES = [
  pageRoute("/dev/gallery", { access: "anyone", page: () => ({ title: "Gallery", body: <Gallery /> }) }),
  pageRoute("/dev/gallery/:name/:amount", {
    access: "anyone",
    params: Exhibit,
    page: ({ params }) => {
      const { name, amount } = params;
      const isHostile = amount === "hostile";
      const shown = exhibits(isHostile ? hostile : (text) => text, isHostile ? "usual" : (amount as Amount));
      if (!Object.hasOwn(shown, name)) throw new AppError("not_found", "There is no such view.");
      return { title: name, body: shown[name]!() };
    },
  }),
];
