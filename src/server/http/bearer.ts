/** The token that a program sends by itself; a browser never adds one on another site's behalf. */
export const bearerOf = (request: Request): string | null =>
  request.headers.get("authorization")?.match(/^Bearer\s+(\S+)\s*$/i)?.[1] ?? null;
