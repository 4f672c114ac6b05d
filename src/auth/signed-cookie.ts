import { MINUTE } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { World } from "../world.ts";

type Deps = Pick<World, "vault" | "clock">;

const GOOD_FOR = 10 * MINUTE;

/** The purpose of a note. A note for another purpose is rejected. */
type NoteKind = "flow" | "newcomer" | "form";

const getBinding = (kind: NoteKind) => ({ userId: 0, source: "note", account: kind });

/** Encrypts data that a browser keeps for ten minutes and can neither read nor change. */
export const sealNote = ({ vault, clock }: Deps, kind: NoteKind, content: unknown): string =>
  Buffer.from(vault.seal(JSON.stringify({ at: clock(), content }), getBinding(kind))).toString("base64url");

/** The first valid note of this kind; null if there is none. */
export const openNote = <T>({ vault, clock }: Deps, kind: NoteKind, texts: readonly string[]): T | null => {
  for (const text of texts) {
    try {
      const note = JSON.parse(vault.open(Buffer.from(text, "base64url"), getBinding(kind))) as {
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
