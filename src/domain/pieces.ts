/**
 * Gives back the memory of a piece of a stream when it has been read. Left to the garbage collector, which sees little of
 * it, the pieces of a fast download come to fifty megabytes.
 */
export const release = ({ buffer, byteLength }: Uint8Array): void => {
  // What shares its memory with others is not ours alone.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
};
