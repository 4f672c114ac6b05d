/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Tabs } from "../partials/choices.tsx";
import { ADMIN_TEXTS } from "../texts/admin.ts";

const WORDS = ADMIN_TEXTS.frame;

const TABS = [
  ["admin", WORDS.overview],
  ["admin/users", WORDS.users],
  ["admin/actions", WORDS.actionLog],
] as const;

/** The three tabs of the administration. */
export const AdminFrame = ({ tab, children }: PropsWithChildren<{ tab: (typeof TABS)[number][0] }>) => (
  <>
    <h1>{WORDS.title}</h1>
    <Tabs label={WORDS.title} choices={TABS.map(([path, words]) => ({ words, href: path, isHere: path === tab }))} />
    {children as "safe"}
  </>
);
