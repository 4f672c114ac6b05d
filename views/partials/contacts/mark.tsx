/** @jsxImportSource @kitajs/html */
import type { Cell } from "../../../src/domain/awards/award.ts";
import type { Mark as Letter } from "../../../src/domain/contact/marks.ts";
import { TEXTS } from "../../texts/shared.ts";

const { states } = TEXTS;

const LOOKS: Record<Letter, readonly [look: string, words: string]> = {
  C: ["confirmed", states.confirmed],
  W: ["worked", states.sent],
  "–": ["missing", states.notSent],
};

interface MarkProps {
  of: Letter;
  name: string;
  /** The words for a witness without a record, unless the contact is not uploaded. */
  missing?: string | undefined;
}

/** What a service says about a contact: its initial in a tile, and the same in words for screen readers. */
export const Mark = ({ of, name, missing }: MarkProps) => {
  const [look, words] = LOOKS[of];
  const sentence = states.mark(name, of === "–" ? (missing ?? words) : words);
  return (
    <span class={`mark ${look}`} title={sentence}>
      <span aria-hidden="true" safe>
        {name.slice(0, 1)}
      </span>
      <span class="hidden" safe>
        {sentence}
      </span>
    </span>
  );
};

interface SlotMarkProps {
  /** Null: needed. */
  state: Cell | null;
  /** What the state is about, such as "Angola, 40m". */
  of: string;
  /** The words for a slot without contacts, unless it is needed. */
  empty?: string;
  /** The slot of the contact that the page shows. */
  isHere?: boolean;
  /** Where the contacts of the slot are. Keys reach them in other ways. */
  href?: string | undefined;
}

/** The state of one slot in a matrix: tick, hatch or dot, and its words in no size. A matrix has a thousand of them. */
export const SlotMark = ({ state, of, empty = states.needed, isHere = false, href }: SlotMarkProps) => {
  const words = [of, state === null ? empty : states[state], isHere && states.here].filter(Boolean).join(", ");
  const look = ["slot-mark", state ?? "needed", isHere && "here"];
  return href === undefined ? (
    <span class={look} aria-current={isHere ? "true" : undefined} safe>
      {words}
    </span>
  ) : (
    <a class={look} tabindex="-1" href={href} safe>
      {words}
    </a>
  );
};
