/** @jsxImportSource @kitajs/html */
import { TEXTS } from "../texts/shared.ts";
import { Icon } from "./icon.tsx";

const { keys: WORDS, places: NAMES } = TEXTS;

/** The pages with their names and keyboard shortcuts. */
export const PLACES = [
  { path: "", name: NAMES.dashboard, key: "g d", icon: "home" },
  { path: "log", name: NAMES.log, key: "g l", icon: "list" },
  { path: "awards", name: NAMES.awards, key: "g a", icon: "award" },
  { path: "statistics", name: NAMES.statistics, key: "g s", icon: "bars" },
  { path: "jobs", name: NAMES.jobs, key: "g j", icon: "sync" },
  { path: "settings", name: NAMES.settings, key: "g e", icon: "sliders" },
] as const;

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ["Ctrl-K", WORDS.palette],
  ["n", WORDS.newQso],
  ["/", WORDS.search],
  ["j k ↓ ↑", WORDS.rows],
  ["o", WORDS.preview],
  ["x", WORDS.select],
  ["[ ]", WORDS.paging],
  ...PLACES.map(({ key, name }) => [key, name] as const),
  ["Esc", WORDS.close],
  ["?", WORDS.shortcuts],
];

/** The dialogs with the keyboard shortcuts and the search box. They open without JavaScript. */
export const KeyLayers = () => (
  <>
    <div id="keys" class="layer" popover="auto" role="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">{WORDS.title}</h2>
      <dl class="facts">
        {KEYS.map(([keys, meaning]) => (
          <>
            <dt>
              <kbd safe>{keys}</kbd>
            </dt>
            <dd safe>{meaning}</dd>
          </>
        ))}
      </dl>
      <label class="check with-scripts" for="single-keys">
        <input type="checkbox" id="single-keys" checked /> {WORDS.singleKeys}
      </label>
    </div>
    <div id="palette" class="layer" popover="auto" role="dialog" aria-label={WORDS.goTo}>
      <form
        class="finder-line"
        role="search"
        method="get"
        action="go"
        hx-get="go"
        hx-trigger="input delay:120ms"
        hx-target="#palette-found"
        hx-select="#go-found"
        hx-swap="innerHTML"
        hx-sync="this:replace"
        data-first=""
      >
        <input
          type="search"
          name="words"
          id="palette-words"
          autofocus
          aria-label={WORDS.fieldLabel}
          placeholder={WORDS.fieldHint}
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          maxlength={200}
        />
        <button>{WORDS.go}</button>
      </form>
      <div id="palette-found">
        <ul class="plain offers">
          {PLACES.map(({ path, name, key }) => (
            <li>
              <a data-row="" href={path || "./"}>
                {name} <kbd aria-hidden="true">{key}</kbd>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </div>
  </>
);

/** The buttons for these dialogs. */
export const KeyButtons = () => (
  <div class="key-buttons">
    <button
      type="button"
      id="palette-open"
      popovertarget="palette"
      data-key="Control+k"
      aria-keyshortcuts="Control+K"
      title={WORDS.goToHint}
    >
      <Icon name="search" /> <span class="word">{WORDS.goToAnything}</span> <kbd aria-hidden="true">Ctrl K</kbd>
    </button>
    <button
      type="button"
      id="keys-open"
      popovertarget="keys"
      data-key="?"
      aria-keyshortcuts="?"
      aria-label={WORDS.title}
      title={WORDS.shortcutsHint}
    >
      <Icon name="keyboard" />
    </button>
  </div>
);
