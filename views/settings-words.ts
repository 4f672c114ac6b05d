const WORDS: Record<string, string> = {
  profile: "Profile saved.",
  password: "Password changed. All other sessions are signed out.",
  "factor-removed": "Removed.",
  session: "Session signed out.",
  token: "Revoked.",
  identity: "Saved.",
  schedule: "Schedule saved.",
  credentials: "Saved. Test the account, or sync now.",
  tested: "Connected.",
  connected: "Connected. The first sync has started, and syncs repeat every day.",
  cleared: "Account removed.",
  notice: "Saved.",
  "notice-removed": "Removed.",
  "notice-tested": "Test notification sent.",
};

/** The message of a section after an action in it. */
export const getMessage = (done: string | undefined, word: string, of = ""): string | undefined =>
  done === word + of ? WORDS[word] : undefined;
