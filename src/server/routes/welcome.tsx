import { Elysia } from "elysia";
import { Welcome } from "../../../views/pages/welcome.tsx";
import type { App } from "../../app.ts";
import { page } from "../html.ts";

export const welcome = (_app: App) => new Elysia().get("/", () => page(Welcome()));
