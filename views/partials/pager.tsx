/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { TEXTS } from "../texts/shared.ts";

type LinkAttributes = Readonly<Record<string, string>>;

interface PagerProps {
  label: string;
  previous: LinkAttributes | null;
  next: LinkAttributes | null;
}

/** Links to the pages before and after this one, if there are any, with what stands between them. */
export const Pager = ({ label, previous, next, children }: PropsWithChildren<PagerProps>) =>
  previous === null && next === null ? (
    ""
  ) : (
    <nav class="pager" aria-label={label}>
      {previous === null ? (
        <span></span>
      ) : (
        <a id="page-previous" class="button" rel="prev" data-key="[" {...previous}>
          {TEXTS.pager.previous}
        </a>
      )}
      {children as "safe"}
      {next === null ? (
        <span></span>
      ) : (
        <a id="page-next" class="button" rel="next" data-key="]" {...next}>
          {TEXTS.pager.next}
        </a>
      )}
    </nav>
  );

/** A link to the next page of a list that is read from its beginning, if there is one. */
export const More = ({ href, words }: { href: string | null; words: string }) =>
  href === null ? (
    ""
  ) : (
    <p class="pager">
      <a class="button" href={href} safe>
        {words}
      </a>
    </p>
  );
