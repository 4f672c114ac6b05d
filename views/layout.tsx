/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Patterns } from "./charts/meter.tsx";
import { Icon, type IconName } from "./partials/icon.tsx";
import { KeyButtons, KeyLayers, PLACES } from "./partials/keys.tsx";
import { TEXTS } from "./texts/shared.ts";

/** What every page needs for its frame. Paths are relative to the base. */
export interface Frame {
  /** The path of the installation, with a trailing slash. */
  base: string;
  /** The path of this page below the base, without a leading slash. */
  path: string;
  /** The query string with its question mark. */
  query: string;
  assets: { style: string; font: string; htmx: string; icon: string };
  /** A script for this page only, in addition to the common one. */
  script: string | null;
  user: { username: string; callsign: string | null; isAdmin: boolean } | null;
  /** The administrator who impersonates the user. */
  actingFor: { administrator: string; minutesLeft: number } | null;
  now: number;
}

const WORDS = TEXTS.frame;

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
      <link rel="preload" href={frame.assets.font} as="font" type="font/woff2" crossorigin="anonymous" />
      <link rel="stylesheet" href={frame.assets.style} />
      <script src={frame.assets.htmx} defer></script>
      {frame.script !== null && <script src={frame.script} defer></script>}
    </head>
    <body class={frame.user ? "app" : undefined}>
      <a class="skip" href={`${frame.path}${frame.query}#content`}>
        {WORDS.skip}
      </a>
      {frame.user !== null && <Patterns />}
      <Rail frame={frame} />
      <Banner frame={frame} />
      <main id="content" tabindex="-1">
        {children as "safe"}
      </main>
      {/* It speaks whole sentences about what happens on the page. Empty at first: later changes are read. */}
      <div id="announcer" class="hidden" role="status"></div>
      {frame.user !== null && <KeyLayers />}
    </body>
  </html>
);

/** On a wide screen a rail with everything, on a phone a header, a tab bar, and the rest behind "More". */
const Rail = ({ frame }: { frame: Frame }) => (
  <header class={frame.user ? "rail" : undefined}>
    <a class="brand" href="./">
      <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
        <rect width="16" height="16" rx="3.5" />
        <path d="M3.5 11V9M6 11V7.5M11 11V8.5M13 11V9.5" />
        <path class="pointer" d="M8.5 12V4" />
      </svg>
      <span class="word">qsolog</span>
    </a>
    {frame.user !== null && <Navigation frame={frame} />}
  </header>
);

interface Place {
  path: string;
  name: string;
  key: string;
  icon: IconName;
}

const ADMIN: Place = { path: "admin", name: TEXTS.places.admin, key: "g u", icon: "users" };
const EVERYDAY = 3;

const Navigation = ({ frame }: { frame: Frame }) => {
  const { username, callsign, isAdmin } = frame.user!;
  return (
    <>
      <Clock now={frame.now} />
      <div class="tab-bar">
        <a
          class="button primary new-qso"
          href="log/add"
          accesskey="n"
          data-key="n"
          aria-keyshortcuts="n"
          title={WORDS.newQso}
        >
          <Icon name="plus" /> <span class="word">{WORDS.newQso}</span> <kbd aria-hidden="true">n</kbd>
        </a>
        <Places frame={frame} label={WORDS.pages} places={PLACES.slice(0, EVERYDAY)} />
        <button type="button" id="more-open" popovertarget="more">
          <Icon name="more" /> {WORDS.more}
        </button>
      </div>
      <div id="more" popover="auto">
        <Places
          frame={frame}
          label={WORDS.morePages}
          places={[...PLACES.slice(EVERYDAY), ...(isAdmin ? [ADMIN] : [])]}
        />
        <form class="who" method="post" action="logout">
          <span class="call" safe>
            {callsign ?? username}
          </span>
          <button id="sign-out" title={WORDS.signOut}>
            <Icon name="exit" /> <span class="word">{WORDS.signOut}</span>
          </button>
        </form>
      </div>
      <KeyButtons />
    </>
  );
};

const Places = ({ frame, label, places }: { frame: Frame; label: string; places: readonly Place[] }) => (
  <nav class="places" aria-label={label}>
    {places.map(({ path, name, key, icon }) => (
      <a href={path || "./"} aria-current={isHere(frame.path, path) ? "page" : undefined} data-key={key} title={name}>
        <Icon name={icon} />{" "}
        <span class="word" safe>
          {name}
        </span>
      </a>
    ))}
  </nav>
);

/** The time and date in UTC. A script keeps it going. */
const Clock = ({ now }: { now: number }) => {
  const iso = new Date(now).toISOString();
  return (
    <p class="clock">
      <b data-clock="" safe>
        {iso.slice(11, 16)}
      </b>{" "}
      <span class="word">{WORDS.clock}</span>
      <small safe>{iso.slice(0, 10)}</small>
    </p>
  );
};

const isHere = (path: string, place: string): boolean =>
  place === "" ? path === "" : path === place || path.startsWith(`${place}/`);

const Banner = ({ frame: { user, actingFor } }: { frame: Frame }) =>
  actingFor && user ? (
    <aside class="banner" aria-label={WORDS.actingLabel}>
      <p>
        {WORDS.you} <b safe>{actingFor.administrator}</b>
        {WORDS.actingAs} <b safe>{user.username}</b>:{" "}
        <span class="nowrap" safe>
          {WORDS.minutesLeft(actingFor.minutesLeft)}
        </span>
        {WORDS.recorded}
      </p>
      <form method="post" action="impersonation/stop">
        <button id="stop-impersonation">{WORDS.stopActing}</button>
      </form>
    </aside>
  ) : (
    ""
  );
