/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { KeyButtons, KeyLayers, PLACES } from "./partials/keys.tsx";

/** What every page needs for its frame. Paths are relative to the base. */
export interface Frame {
  /** The path of the installation, with a trailing slash. */
  base: string;
  /** The path of this page below the base, without a leading slash. */
  path: string;
  /** The query string with its question mark. */
  query: string;
  assets: { style: string; htmx: string; icon: string };
  /** A script for this page only, in addition to the common one. */
  script: string | null;
  user: { username: string; callsign: string | null; isAdmin: boolean } | null;
  /** The administrator who impersonates the user. */
  actingFor: { administrator: string; minutesLeft: number } | null;
}

const CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  history: "reload",
  defaultTimeout: 70_000,
  morphIgnore: ["data-htmx-powered", "open"],
});

export const Layout = ({ frame, title, children }: PropsWithChildren<{ frame: Frame; title: string }>) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <base href={frame.base} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="htmx-config" content={CONFIG} />
      <title safe>{title === "qsolog" ? title : `${title} · qsolog`}</title>
      <link rel="icon" type="image/svg+xml" href={frame.assets.icon} />
      <link rel="stylesheet" href={frame.assets.style} />
      <script src={frame.assets.htmx} defer></script>
      {frame.script === null ? "" : <script src={frame.script} defer></script>}
    </head>
    <body>
      <a class="skip" href={`${frame.path}${frame.query}#content`}>
        Skip to content
      </a>
      <Banner frame={frame} />
      <header class="top">
        <a class="brand" href="./">
          qsolog
        </a>
        {frame.user ? <Navigation frame={frame} /> : ""}
      </header>
      <main id="content" tabindex="-1">
        {children as "safe"}
      </main>
      {frame.user ? <KeyLayers /> : ""}
    </body>
  </html>
);

const ADMIN = { path: "admin", name: "Admin", key: "g u" };

const Navigation = ({ frame }: { frame: Frame }) => {
  const { username, callsign, isAdmin } = frame.user!;
  const places: readonly { path: string; name: string; key: string }[] = isAdmin ? [...PLACES, ADMIN] : PLACES;
  return (
    <>
      <nav aria-label="Pages">
        {places.map(({ path, name, key }) => (
          <a href={path || "./"} aria-current={isHere(frame.path, path) ? "page" : undefined} data-key={key} safe>
            {name}
          </a>
        ))}
      </nav>
      <KeyButtons />
      <a class="button small-button new-qso" href="log/add" accesskey="n" data-key="n" title="New QSO (n)">
        New QSO
      </a>
      <form class="who" method="post" action="logout">
        <span class="call" safe>
          {callsign ?? username}
        </span>
        <button class="quiet" id="sign-out">
          Sign out
        </button>
      </form>
    </>
  );
};

const isHere = (path: string, place: string): boolean =>
  place === "" ? path === "" : path === place || path.startsWith(`${place}/`);

const Banner = ({ frame: { user, actingFor } }: { frame: Frame }) =>
  actingFor && user ? (
    <aside class="banner" aria-label="Acting as another user">
      <p>
        You, <b safe>{actingFor.administrator}</b>, are acting as <b safe>{user.username}</b>:{" "}
        <span class="nowrap">
          {actingFor.minutesLeft} {actingFor.minutesLeft === 1 ? "minute" : "minutes"} left
        </span>
        . Your actions are recorded.
      </p>
      <form method="post" action="impersonation/stop">
        <button id="stop-impersonation">Stop acting</button>
      </form>
    </aside>
  ) : (
    ""
  );
