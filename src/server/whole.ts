/** An answer that is whole says how long it is: whoever passes it on need not look. */
export const whole = (text: string, type: string, status = 200, headers = new Headers()): Response => {
  headers.set("content-type", type);
  headers.set("content-length", String(Buffer.byteLength(text)));
  return new Response(text, { status, headers });
};

export const json = (words: unknown, status?: number, headers?: Headers): Response =>
  whole(JSON.stringify(words), "application/json;charset=utf-8", status, headers);
