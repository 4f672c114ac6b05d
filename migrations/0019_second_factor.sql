-- What somebody has besides the password, and the questions for it that wait for an answer.

-- skip if column sessions.factor_at exists
ALTER TABLE sessions ADD COLUMN factor_at {{bigint}};

-- skip if table totp_secrets exists
CREATE TABLE totp_secrets (
  user_id {{bigint}} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed {{blob}},
  pending {{blob}},
  last_step {{bigint}} NOT NULL DEFAULT 0,
  created_at {{bigint}} NOT NULL,
  last_used_at {{bigint}}
) {{strict}};

-- skip if table recovery_codes exists
CREATE TABLE recovery_codes (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash {{text}} NOT NULL,
  used_at {{bigint}},
  PRIMARY KEY (user_id, code_hash)
) {{strict}};

-- skip if table passkeys exists
CREATE TABLE passkeys (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id {{text}} NOT NULL UNIQUE,
  sealed {{blob}} NOT NULL,
  transports {{text}} NOT NULL,
  counter {{bigint}} NOT NULL,
  name {{text}} NOT NULL,
  created_at {{bigint}} NOT NULL,
  last_used_at {{bigint}}
) {{strict}};
CREATE INDEX IF NOT EXISTS passkeys_user ON passkeys (user_id);

-- skip if table factor_challenges exists
CREATE TABLE factor_challenges (
  token_hash {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose {{text}} NOT NULL CHECK (purpose IN ('sign_in', 'confirm', 'enrol')),
  session_id {{text}},
  expires_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS factor_challenges_user ON factor_challenges (user_id);
