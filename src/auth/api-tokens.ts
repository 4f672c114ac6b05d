/** How every API token begins, so that one is known when it is seen. */
export const API_TOKEN = "qsl_";

export const hashOfToken = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");
