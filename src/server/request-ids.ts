const ID_BYTES = 6;
const DRAWN_AT_ONCE = 512;

/** Names for requests. Chance is drawn for many of them at once: drawing it costs as much as a small answer. */
export const requestIds = (random: (count: number) => Uint8Array): (() => string) => {
  let drawn = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at === drawn.length) {
      drawn = Buffer.from(random(ID_BYTES * DRAWN_AT_ONCE));
      at = 0;
    }
    at += ID_BYTES;
    return drawn.toString("hex", at - ID_BYTES, at);
  };
};
