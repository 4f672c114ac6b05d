/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";

/** The names of a table's columns, then other headings. */
export const TableHead = ({ columns, children = "" }: PropsWithChildren<{ columns: readonly string[] }>) => (
  <thead>
    <tr>
      {columns.map((name) => (
        <th scope="col" safe>
          {name}
        </th>
      ))}
      {children as "safe"}
    </tr>
  </thead>
);
