/** @jsxRuntime classic */ /** @jsx Html.createElement */ /** @jsxFrag Html.Fragment */
import { Html } from "@kitajs/html";
import { AppError } from "../../domain/errors.ts";
import { exhibits, hostile, type Amount } from "../../../views/gallery/exhibits.tsx";
import { Gallery } from "../../../views/gallery/gallery.tsx";
import { only, Text, words } from "../shapes.ts";
import { pageRoute } from "../page-route.ts";

const Exhibit = only({ name: Text, amount: words(["empty", "usual", "huge", "hostile"] as const) });

/** Every view with canned data, for whoever changes their looks. Served by the demo alone. */
export const GALLERY_PAGES = [
  pageRoute({ path: "/dev/gallery", access: "anyone" }, () => ({ title: "Gallery", body: <Gallery /> })),
  pageRoute({ path: "/dev/gallery/:name/:amount", access: "anyone", params: Exhibit }, ({ params }) => {
    const { name, amount } = params;
    const isHostile = amount === "hostile";
    const shown = exhibits(isHostile ? hostile : (text) => text, isHostile ? "usual" : (amount as Amount));
    if (!Object.hasOwn(shown, name)) throw new AppError("not_found", "There is no such view.");
    return { title: name, body: shown[name]!() };
  }),
];
