/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Tabs } from "../partials/choices.tsx";

const TABS = [
  ["admin", "Overview"],
  ["admin/users", "Users"],
  ["admin/actions", "Action log"],
] as const;

/** The three tabs of the administration. */
export const AdminFrame = ({ tab, children }: PropsWithChildren<{ tab: (typeof TABS)[number][0] }>) => (
  <>
    <h1>Administration</h1>
    <Tabs label="Administration" choices={TABS.map(([path, words]) => ({ words, href: path, isHere: path === tab }))} />
    {children as "safe"}
  </>
);
