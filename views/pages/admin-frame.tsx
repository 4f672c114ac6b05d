/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";

const TABS = [
  ["admin", "Overview"],
  ["admin/users", "Users"],
  ["admin/actions", "Action log"],
] as const;

/** The three tabs of the administration. */
export const AdminFrame = ({ tab, children }: PropsWithChildren<{ tab: (typeof TABS)[number][0] }>) => (
  <>
    <h1>Administration</h1>
    <nav class="tabs" aria-label="Administration">
      {TABS.map(([path, name]) => (
        <a href={path} aria-current={path === tab ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
    {children as "safe"}
  </>
);
