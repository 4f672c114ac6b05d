/** @jsxImportSource @kitajs/html */

export interface GoProps {
  words: string;
  found: readonly { label: string; path: string; says?: string; keys?: string; isDone?: boolean }[];
}

/** The results of the search box. */
export const Go = ({ words, found }: GoProps) => (
  <>
    <h1>Go to</h1>
    <section class="card" aria-label="Go to">
      <form method="get" action="go" role="search" class="finder-line" data-first="">
        <input type="search" name="words" id="go-words" value={words} aria-label="Page or search" />
        <button>Go</button>
      </form>
      <div id="go-found" data-words={words}>
        {found.length === 0 ? (
          <p class="empty">Nothing found. Try another word.</p>
        ) : (
          <ul class="plain offers">
            {found.map((one) => (
              <li>
                <Way {...one} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  </>
);

/** An action is a button, as everywhere. */
const Way = ({ label, path, says, keys, isDone }: GoProps["found"][number]) =>
  isDone ? (
    <form method="post" action={path}>
      <button data-row="" class="quiet" safe>
        {label}
      </button>
    </form>
  ) : (
    <a data-row="" href={path}>
      <span safe>{label}</span>{" "}
      {says ? (
        <small class="muted" safe>
          {says}
        </small>
      ) : (
        ""
      )}{" "}
      {keys ? (
        <kbd aria-hidden="true" safe>
          {keys}
        </kbd>
      ) : (
        ""
      )}
    </a>
  );
