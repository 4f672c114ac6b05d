/** @jsxImportSource @kitajs/html */
import { TEXTS } from "../texts/shared.ts";

const WORDS = TEXTS.keys;

export interface GoProps {
  words: string;
  found: readonly { label: string; path: string; says?: string; keys?: string; isDone?: boolean }[];
}

/** The results of the search box. */
export const Go = ({ words, found }: GoProps) => (
  <>
    <h1>{WORDS.goTo}</h1>
    <section class="card" aria-label={WORDS.goTo}>
      <form method="get" action="go" role="search" class="finder-line" data-first="">
        <input type="search" name="words" id="go-words" value={words} aria-label={WORDS.fieldLabel} />
        <button>{WORDS.go}</button>
      </form>
      <div id="go-found" data-words={words}>
        {found.length === 0 ? (
          <p class="empty">{WORDS.nothingFound}</p>
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
      {says !== undefined && (
        <small class="muted" safe>
          {says}
        </small>
      )}{" "}
      {keys !== undefined && (
        <kbd aria-hidden="true" safe>
          {keys}
        </kbd>
      )}
    </a>
  );
