/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";

interface Props {
  /** The start of the id of its heading. */
  name: string;
  title: string;
  id?: string;
  /** Links beside the heading. */
  beside?: JSX.Element;
}

/** A section of a page with a heading. */
export const Card = ({ name, title, id, beside, children }: PropsWithChildren<Props>) => (
  <section class="card" id={id} aria-labelledby={`${name}-title`}>
    <div class="head">
      <h2 id={`${name}-title`} safe>
        {title}
      </h2>
      {beside as "safe"}
    </div>
    {children as "safe"}
  </section>
);
