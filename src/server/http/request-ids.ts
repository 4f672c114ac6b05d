const ID_BYTES = 6;
const ID_LETTERS = 2 * ID_BYTES;
const DRAWN_AT_ONCE = 512;

/** Names for requests. Chance is drawn for many of them at once: drawing it costs as much as a small answer. */
export const requestIds = (random: (count: number) => Uint8Array): (() => string) => {
  let drawn = "";
  let at = 0;
  return () => {
    if (at === drawn.length) {
      drawn = Buffer.from(random(ID_BYTES * DRAWN_AT_ONCE)).toString("hex");
      at = 0;
    }
    at += ID_LETTERS;
    return drawn.slice(at - ID_LETTERS, at);
  };
};
