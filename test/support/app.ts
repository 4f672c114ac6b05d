import type { App } from "../../src/app.ts";
import { createApp } from "../../src/app.ts";
import type { SignIn } from "../../src/auth/auth.ts";
import type { Caller } from "../../src/auth/caller.ts";
import { createToken } from "../../src/people/tokens.ts";
import { byService, type Service } from "../../src/domain/jobs/source.ts";
import type { User } from "../../src/domain/people/user.ts";
import { cookieName, SESSION_COOKIE } from "../../src/server/http/cookies.ts";
import { createServer, type Server } from "../../src/server/server.ts";
import * as factors from "../../src/storage/people/factors.ts";
import * as users from "../../src/storage/people/users.ts";
import { setCredentials } from "../../src/sync/source/credentials.ts";
import { afterTest } from "./cleanup.ts";
import { fakeService, type FakeServices } from "./fake-service.ts";
import { RunningJobs } from "../../src/kernel/running-jobs.ts";
import { aUser, testWorld, type TestClock, type TestWorld } from "./world.ts";

export const PASSWORD = "correct horse battery";
export const CLIENT = { address: "192.0.2.7", userAgent: "test" };

export interface Answer {
  status: number;
  headers: Headers;
  /** By name; empty if the response deletes the cookie. */
  cookies: Record<string, string>;
  text: string;
  /** The JSON document, if it is one. */
  body: any;
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends requests with a token, with cookies, or with neither. */
export interface Asker {
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
}

/** A browser that keeps cookies and sends the origin of its requests. */
export interface Browser extends Asker {
  cookies: Map<string, string>;
}

export interface TestApp extends App, FakeServices {
  clock: TestClock;
  dataDir: string;
  server: Server;
  services: FakeServices;
  /** The users of the tests: an administrator, a user, and one who must never see the other's log. */
  ann: User;
  bob: User;
  eve: User;
  visitor: Asker;
  signIn(user: User): Promise<SignIn>;
  /** A request of this user, authenticated a moment ago. */
  callerOf(user: User): Promise<Caller>;
  /** A program with a token of this user. */
  as(user: User): Promise<Asker>;
  withBearer(token: string): Asker;
  withToken(user: User, scope: "read" | "write"): Promise<Asker & { id: number; token: string }>;
  browser(user?: User): Promise<Browser>;
  credentialsFor(user: User, ...services: Service[]): Promise<void>;
}

interface Options {
  env?: Record<string, string>;
  thread?: boolean;
  jobsThread?: boolean;
  /** Without users, like a new installation. */
  empty?: boolean;
  world?: TestWorld;
  /** The services of another instance on the same database. */
  services?: FakeServices;
}

const ORIGIN = "http://localhost";

/** The whole program on its own database, with services that the test controls. It responds without a socket. */
export const testApp = async (options: Options = {}): Promise<TestApp> => {
  const { env, thread, jobsThread, empty = false, world: given } = options;
  const services = options.services ?? byService(fakeService);
  const world: TestWorld = {
    ...(given ?? (await testWorld({ env: { QSOLOG_PORT: "0", ...env }, thread, jobsThread }))),
    providers: services,
    underWay: new RunningJobs(),
  };
  const app = createApp(world);
  const server = createServer(app);
  afterTest(async () => {
    await Promise.all([app.stop(), server.stop()]);
    await app.settle();
  });
  const make = async (name: string) => (empty ? (undefined as never) : await aUser(world, name));
  const ann = empty ? (undefined as never) : await aUser(world, "ann", "admin");
  const withBearer = (token: string) => asker(server, () => ({ authorization: `Bearer ${token}` }));
  /** Users with a second factor have given it. */
  const signIn = async (user: User) => {
    const hasFactor = await world.db.read(() => factors.isThere(user.id));
    const known = await world.db.read(() => users.getKnown(user.id));
    return app.auth.startSession(known, CLIENT, hasFactor ? "code" : null);
  };
  return {
    ...app,
    clock: world.clock,
    dataDir: world.dataDir,
    server,
    services,
    ...services,
    ann,
    bob: await make("bob"),
    eve: await make("eve"),
    visitor: asker(server),
    signIn,
    async callerOf(user) {
      const { token: bearer } = await signIn(user);
      const caller = await app.auth.findCaller({
        bearer,
        address: CLIENT.address,
        sessionCookies: [],
        impersonationCookies: [],
        namedByProxy: null,
      });
      return caller!;
    },
    withBearer,
    as: async (user) => withBearer((await signIn(user)).token),
    async withToken(user, scope) {
      const { id, token } = await createToken(world, user.id, { name: "test", scope });
      return { ...withBearer(token), id, token };
    },
    async browser(user) {
      const browser = aBrowser(server);
      if (user) browser.cookies.set(cookieName(world.config, SESSION_COOKIE), (await signIn(user)).token);
      return browser;
    },
    async credentialsFor(user, ...services) {
      for (const service of services) await setCredentials(world, user.id, service, CREDENTIALS[service]);
    },
  };
};

export const CREDENTIALS: Record<Service, Record<string, string>> = {
  first: { username: "yu1test", password: "secret words" },
  second: { apiKey: "AB12-CD34-EF56-0789" },
};

const asker = (
  server: Server,
  always: () => Record<string, string> = () => ({}),
  noted?: (a: Answer) => void,
): Asker => {
  const send = async (method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Answer> => {
    const isText = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
    const request = new Request(ORIGIN + path, {
      method,
      headers: { host: "localhost", ...always(), ...headers },
      body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
    });
    const answer = await answerOf(await server.handle(request));
    noted?.(answer);
    return answer;
  };
  const sending =
    (method: string) =>
    (path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> =>
      send(method, path, { body, headers });
  return {
    send,
    get: (path, headers) => send("GET", path, { headers }),
    post: sending("POST"),
    put: sending("PUT"),
    patch: sending("PATCH"),
    delete: sending("DELETE"),
  };
};

const aBrowser = (server: Server): Browser => {
  const cookies = new Map<string, string>();
  const always = () => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { "sec-fetch-site": "same-origin", ...(cookie === "" ? {} : { cookie }) };
  };
  const noted = (answer: Answer) => {
    for (const [name, value] of Object.entries(answer.cookies)) {
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  return { ...asker(server, always, noted), cookies };
};

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const cookies = Object.fromEntries(
    response.headers.getSetCookie().map((line) => line.split(";")[0]!.split("=") as [string, string]),
  );
  const isJson = /^application\/json(;|$)/.test(response.headers.get("content-type") ?? "") && text !== "";
  return { status: response.status, headers: response.headers, cookies, text, body: isJson ? JSON.parse(text) : null };
};
