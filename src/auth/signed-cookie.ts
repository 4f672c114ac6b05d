import { MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "vault" | "clock">;

const GOOD_FOR = 10 * MINUTE;

/** What a note is about: one of another kind does not open. */
export type NoteKind = "flow" | "newcomer" | "form";

const bindingOf = (kind: NoteKind) => ({ userId: 0, source: "note", account: kind });

/** What a browser keeps for the server for ten minutes, and can neither read nor change. */
export const sealNote = ({ vault, clock }: Deps, kind: NoteKind, content: unknown): string =>
  Buffer.from(vault.seal(JSON.stringify({ at: clock(), content }), bindingOf(kind))).toString("base64url");

/** The first of these that is a note of this kind and not too old; null where none is. */
export const openNote = <T>({ vault, clock }: Deps, kind: NoteKind, texts: readonly string[]): T | null => {
  for (const text of texts) {
    try {
      const note = JSON.parse(vault.open(Buffer.from(text, "base64url"), bindingOf(kind))) as {
        at: number;
        content: T;
      };
      if (clock() - note.at < GOOD_FOR) return note.content;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  return null;
};
