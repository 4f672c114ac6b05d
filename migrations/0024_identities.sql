-- Accounts elsewhere that sign in as a user here, and by what each session began.

-- skip if column sessions.begun_by exists
ALTER TABLE sessions ADD COLUMN begun_by {{text}};

-- skip if table identities exists
CREATE TABLE identities (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  issuer {{text}} NOT NULL,
  subject {{text}} NOT NULL,
  label {{text}},
  gave_role {{bigint}} NOT NULL DEFAULT 0,
  created_at {{bigint}} NOT NULL,
  last_used_at {{bigint}},
  UNIQUE (issuer, subject)
) {{strict}};
CREATE INDEX IF NOT EXISTS identities_user ON identities (user_id);
