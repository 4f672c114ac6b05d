import type { App } from "../../src/app.ts";
import { createApp } from "../../src/app.ts";
import type { Role, User } from "../../src/domain/people/user.ts";
import { GALLERY_PAGES } from "../gallery/pages.tsx";
import { createServer } from "../../src/server/server.ts";
import { afterTest } from "../support/cleanup.ts";
import { PASSWORD } from "../support/qsolog.ts";
import { aUser, testWorld, type TestWorld } from "../support/world.ts";

export const ORIGIN = "http://localhost";

interface Options {
  env?: Record<string, string>;
  gallery?: boolean;
  thread?: boolean;
}

export interface Person {
  user: User;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Like a browser that submits a form of this site. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
}

/** The pages of an installation, requested in this process. */
export const aSite = async ({ env, gallery, thread }: Options = {}) => {
  const world: TestWorld = await testWorld({ env, thread });
  const app: App = createApp(world);
  afterTest(() => app.stop());
  const server = createServer(app, { morePages: gallery ? GALLERY_PAGES : [] });
  const ask = (path: string, init: RequestInit = {}) => server.handle(new Request(ORIGIN + path, init));
  const post = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    ask(path, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });

  /** Keeps cookies as a browser does. */
  const browser = () => {
    const jar = new Map<string, string>();
    const remember = (response: Response): Response => {
      for (const line of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (/Max-Age=0\b/.test(line)) jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    };
    const cookies = () => ({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
    return {
      get: async (path: string, headers: Record<string, string> = {}) =>
        remember(await ask(path, { headers: { ...cookies(), accept: "text/html", ...headers } })),
      post: async (path: string, fields?: Record<string, string>, headers: Record<string, string> = {}) =>
        remember(await post(path, fields, { ...cookies(), ...headers })),
    };
  };

  const signedIn = async (username: string, role?: Role): Promise<Person> => {
    const user = await aUser(world, username, role);
    const own = browser();
    await own.post("/login", { username, password: PASSWORD });
    return { user, ...own };
  };
  return { app, world, ask, post, browser, signedIn };
};

export type Site = Awaited<ReturnType<typeof aSite>>;
