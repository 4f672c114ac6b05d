/** @jsxImportSource @kitajs/html */

/** A link to the next page of a list, if there is one. */
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
