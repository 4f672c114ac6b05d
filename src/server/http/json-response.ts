type Given = Headers | Record<string, string>;

/** A complete response states its length, so that proxies need not compute it. */
export const textResponse = (text: string, type: string, status = 200, given: Given = {}): Response => {
  const ofText = { "content-type": type, "content-length": String(Buffer.byteLength(text)) };
  if (!(given instanceof Headers)) return new Response(text, { status, headers: { ...given, ...ofText } });
  for (const [name, value] of Object.entries(ofText)) given.set(name, value);
  return new Response(text, { status, headers: given });
};

export const jsonResponse = (words: unknown, status?: number, headers?: Given): Response =>
  textResponse(JSON.stringify(words), "application/json;charset=utf-8", status, headers);
