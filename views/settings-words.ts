const WORDS: Record<string, string> = {
  profile: "Saved.",
  password: "The password is changed; all other sessions are signed out.",
  "factor-removed": "Removed.",
  session: "Signed out there.",
  token: "Revoked.",
  identity: "Saved.",
  schedule: "Saved.",
  credentials: "Saved. Test them, or sync.",
  tested: "The service accepts them.",
  cleared: "Removed.",
  notice: "Saved.",
  "notice-removed": "Removed.",
  "notice-tested": "The test was sent.",
};

/** The message of a section after an action in it. */
export const getMessage = (done: string | undefined, word: string, of = ""): string | undefined =>
  done === word + of ? WORDS[word] : undefined;
