/** @jsxImportSource @kitajs/html */
import type { PropsWithChildren } from "@elysiajs/html";
import { Icon, type IconName } from "./icon.tsx";
import { TEXTS } from "../texts/shared.ts";

type Kind = "good" | "wait" | "bad" | "info";

const ICONS: Record<Kind, IconName> = { good: "check", wait: "clock", bad: "cross", info: "info" };

interface LeadProps {
  kind: Kind;
  /** One sentence: what is the case. */
  title: string;
  /** One link or form: what to do about it. */
  action?: JSX.Element;
  /** The level of the heading. */
  of?: "h2" | "p" | undefined;
}

/** The sentence a person came for, before everything else. The reason follows as children. */
export const Lead = ({ kind, title, action, of: Heading = "h2", children }: PropsWithChildren<LeadProps>) => (
  <section class={`lead ${kind}`}>
    <Icon name={ICONS[kind]} />
    <div>
      <Heading class="lead-title" safe>
        {title}
      </Heading>
      {(children ?? "") as "safe"}
    </div>
    {(action ?? "") as "safe"}
  </section>
);

/** Why there is nothing, and one action. */
export const Empty = ({ words, action }: { words: string; action?: JSX.Element }) => (
  <div class="nothing">
    <p safe>{words}</p>
    {(action ?? "") as "safe"}
  </div>
);

/** Where there are no contacts yet, with the two ways to get some. */
export const EmptyLog = ({ words }: { words: string }) => (
  <Empty
    words={words}
    action={
      <div class="buttons">
        <a class="button" href="log/import">
          {TEXTS.start.importFile}
        </a>
        <a class="button" href="settings">
          {TEXTS.start.connect}
        </a>
      </div>
    }
  />
);

interface FoldProps {
  id?: string;
  summary: string;
  /** What the folded part contains, in few words. */
  note?: string;
  isOpen?: boolean;
}

/** Details that are folded until somebody wants them. */
export const Fold = ({ id, summary, note, isOpen = false, children }: PropsWithChildren<FoldProps>) => (
  <details id={id} open={isOpen}>
    <summary>
      <b safe>{summary}</b>{" "}
      {note !== undefined && (
        <span class="muted" safe>
          {note}
        </span>
      )}
    </summary>
    {(children ?? "") as "safe"}
  </details>
);
