/** @jsxImportSource @kitajs/html */

/** The pages with their names and keyboard shortcuts. */
export const PLACES = [
  { path: "", name: "Dashboard", key: "g d" },
  { path: "log", name: "Log", key: "g l" },
  { path: "awards", name: "Awards", key: "g a" },
  { path: "statistics", name: "Statistics", key: "g s" },
  { path: "jobs", name: "Jobs", key: "g j" },
  { path: "settings", name: "Settings", key: "g e" },
] as const;

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ["Ctrl-K", "go to a page, award, callsign or search"],
  ["n", "new QSO"],
  ["/", "search"],
  ["j k ↓ ↑", "next row, previous row; Enter opens it"],
  ["o", "preview the contact"],
  ["x", "select the row"],
  ["[ ]", "previous page, next page"],
  ...PLACES.map(({ key, name }) => [key, name] as const),
  ["Esc", "close, or leave a field"],
  ["?", "shortcuts"],
];

/** The dialogs with the keyboard shortcuts and the search box. They open without JavaScript. */
export const KeyLayers = () => (
  <>
    <div id="keys" class="layer" popover="auto" role="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">Shortcuts</h2>
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
    </div>
    <div id="palette" class="layer" popover="auto" role="dialog" aria-label="Go to">
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
          aria-label="Page or search"
          placeholder="A page, an award, a callsign, 20m ft8 …"
          autocomplete="off"
          autocapitalize="none"
          spellcheck="false"
          maxlength={200}
        />
        <button>Go</button>
      </form>
      <div id="palette-found">
        <ul class="plain offers">
          {PLACES.map(({ path, name }) => (
            <li>
              <a data-row="" href={path || "./"}>
                {name}
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
  <span class="key-buttons">
    <button
      type="button"
      class="quiet small-button"
      id="palette-open"
      popovertarget="palette"
      data-key="Control+k"
      aria-keyshortcuts="Control+K"
      title="Go to anything (Ctrl-K)"
    >
      Go to…
    </button>
    <button
      type="button"
      class="quiet small-button"
      id="keys-open"
      popovertarget="keys"
      data-key="?"
      aria-keyshortcuts="?"
      aria-label="Shortcuts"
      title="Shortcuts (?)"
    >
      ?
    </button>
  </span>
);
