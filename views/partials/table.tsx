/** @jsxImportSource @kitajs/html */
import { TEXTS } from "../texts/shared.ts";

interface Heading {
  head: string;
  /** Only screen readers read the heading. */
  isHeadHidden?: boolean;
  class?: string;
}

/** A column: its heading, and its cell in each row as a text or as markup. */
export interface Column<Row> extends Heading {
  /** The cells name their rows. */
  isName?: boolean;
  /** The name of the value on a phone, where a row becomes a list of values. */
  label?: string;
  title?(row: Row): string | undefined;
  text?(row: Row): string;
  markup?(row: Row): JSX.Element;
}

interface TableProps<Row> {
  caption: string;
  class?: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  /** The attributes of a row. */
  row?(row: Row): Readonly<Record<string, string | undefined>>;
  /** The cells say themselves what they are. */
  isHeadHidden?: boolean;
}

export const Table = <Row,>({ caption, columns, rows, row: attributesOf, isHeadHidden, ...look }: TableProps<Row>) => (
  <table class={look.class}>
    <Caption words={caption} />
    <thead class={isHeadHidden ? "hidden" : undefined}>
      <Headings columns={columns} />
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr {...attributesOf?.(row)}>{columns.map((column) => renderCell(column, row)) as "safe"[]}</tr>
      ))}
    </tbody>
  </table>
);

const renderCell = <Row,>({ isName, label, title, text, markup, ...look }: Column<Row>, row: Row): JSX.Element => {
  const Cell = isName ? "th" : "td";
  const all = { scope: isName ? "row" : undefined, class: look.class, "data-label": label, title: title?.(row) };
  if (markup) return <Cell {...all}>{markup(row) as "safe"}</Cell>;
  return (
    <Cell {...all} safe>
      {text?.(row) ?? ""}
    </Cell>
  );
};

/** The name of a table, for those who go from table to table. */
export const Caption = ({ words }: { words: string }) => (
  <caption class="hidden" safe>
    {words}
  </caption>
);

/** The headings of columns. That of numbers is aligned like them. */
export const Headings = ({ columns }: { columns: readonly Heading[] }) => (
  <tr>
    {columns.map(({ head, isHeadHidden, ...look }) =>
      isHeadHidden ? (
        <th scope="col">
          <span class="hidden" safe>
            {head}
          </span>
        </th>
      ) : (
        <th scope="col" class={look.class?.startsWith("num") ? "num" : undefined} safe>
          {head}
        </th>
      ),
    )}
  </tr>
);

/** The start of the column with what can be done about a row. */
export const ACTIONS = { head: TEXTS.tables.actionsHead, isHeadHidden: true, class: "actions" };
