/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { TEXTS } from "../texts/shared.ts";

interface TableProps {
  id: string;
  /** The path of the same page with this table open. */
  href: string;
  isOpen: boolean;
  /** What the table counts, read before it. */
  title: string;
  legend?: JSX.Element | undefined;
  children: JSX.Element;
}

interface ChartCardProps extends Omit<TableProps, "children"> {
  /** What is plotted. */
  about: string;
  table: JSX.Element;
  class?: string;
}

/**
 * A chart whose title is its finding. The table behind it has the same numbers with links to the contacts; the script
 * of charts reads it to name the place under the pointer or the keyboard, so that the picture needs no links.
 */
export const ChartCard = ({
  id,
  title,
  about,
  legend,
  href,
  isOpen,
  table,
  children,
  ...look
}: PropsWithChildren<ChartCardProps>) => (
  <figure class={["card", "chart-card", look.class]} aria-labelledby={`${id}-title`}>
    <figcaption>
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      <p class="muted small" safe>
        {about}
      </p>
    </figcaption>
    {children as "safe"}
    <AsTable id={id} href={href} isOpen={isOpen} title={`${title}. ${about}`} legend={legend}>
      {table}
    </AsTable>
  </figure>
);

/** The name of the place one points at, and the table of the chart: a link opens it. */
export const AsTable = ({ id, href, isOpen, title, legend, children }: TableProps) => (
  <>
    <div class="chart-foot">
      {(legend ?? "") as "safe"}
      <span class="pointed" aria-hidden="true"></span>
      <a
        id={`${id}-as-table`}
        href={`${href}#${id}-table`}
        data-opens={`${id}-table`}
        aria-label={TEXTS.charts.asTableOf(title)}
      >
        {TEXTS.charts.asTable}
      </a>
    </div>
    {isOpen ? (
      <div class="scroll" id={`${id}-table`} tabindex="0" role="group" aria-label={title}>
        {children as "safe"}
      </div>
    ) : (
      <template id={`${id}-table`} data-label={title}>
        {children as "safe"}
      </template>
    )}
  </>
);
