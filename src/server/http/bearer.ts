/** The token that a program sends. Browsers never add it to requests that other sites cause. */
export const bearerOf = (request: Request): string | null =>
  request.headers.get("authorization")?.match(/^Bearer\s+(\S+)\s*$/i)?.[1] ?? null;
