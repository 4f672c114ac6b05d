const SECRET_NAME = /pass|secret|token|api_?key|auth|cookie|session|credential|^key$|^login$|^sealed$/i;
/** `name=value`, even if letters of the name are percent-encoded. */
const ASSIGNMENT = /(?<![\w%-])([\w%-]{1,64})=([^&\s"']+)/g;
const JSON_MEMBER = /"([\w-]{1,64})"\s*:\s*"[^"]*"/g;
const BEARER_IN_TEXT = /\b(Bearer\s+)[\w.~+/=-]+/gi;
const URL_PASSWORD = /(:\/\/[^\s/:@]*):[^\s/@]+@/g;

/** A possible secret: no spaces, slashes or quotes. Characters can be percent-encoded, even repeatedly. */
const WORD = /(?:[\w~+=.-]|%(?:25)*[0-9a-f]{2})+/gi;
const JWT = /(?<![\w-])eyj[\w-]{8,}(?:\.[\w-]*)*/gi;
const LONG_RUN = /[\w-]{24,}/g;
/** The tokens and keys that qsolog creates. */
const TOKEN = /qf[0-9a-z]{22}|wl2_[0-9a-z]{20}|qsl_[\w-]{20}|whsec_[\w-]{18}/i;
/** Tokens in links have no prefix, so a long run of lower-case letters, several capitals and digits counts as one. */
const CAPITALS_OF_LINK_TOKEN = 4;

/** A copy of a value with everything that looks like a secret removed. */
export const redact = (value: unknown, depth = 0): unknown => {
  if (typeof value === "string") return redactText(value);
  if (value === null || typeof value !== "object") return value;
  if (depth > 6) return "…";
  if (value instanceof Error) return { message: redactText(value.message), stack: redactText(value.stack ?? "") };
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item != null ? "[redacted]" : redact(item, depth + 1),
    ]),
  );
};

/** Removes secrets from a text: by the name before them, and by their shape anywhere. */
export const redactText = (text: string): string =>
  text
    .replace(ASSIGNMENT, (all: string, name: string) => (isSecretName(name) ? `${name}=[redacted]` : all))
    .replace(JSON_MEMBER, (all: string, name: string) => (isSecretName(name) ? `"${name}":"[redacted]"` : all))
    .replace(BEARER_IN_TEXT, "$1[redacted]")
    .replace(URL_PASSWORD, "$1:[redacted]@")
    .replace(WORD, removeSecrets);

/** Removes only what has the shape of a secret, from JSON for example, whose names must stay. */
export const redactShapes = (text: string): string => text.replace(WORD, removeSecrets);

const isSecretName = (name: string): boolean =>
  /key$/i.test(decodePercent(name)) || SECRET_NAME.test(decodePercent(name));

const removeSecrets = (word: string): string => {
  const plain = decodePercent(word);
  const rest = plain
    .replace(JWT, "[redacted]")
    .replace(LONG_RUN, (run) => (TOKEN.test(run) || isLikeLinkToken(run) ? "[redacted]" : run));
  return rest === plain ? word : rest;
};

const isLikeLinkToken = (run: string): boolean =>
  /[a-z]/.test(run) && /\d/.test(run) && run.replace(/[^A-Z]/g, "").length >= CAPITALS_OF_LINK_TOKEN;

const decodePercent = (text: string): string => {
  const next = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return next === text ? text : decodePercent(next);
};
