-- Second factors, single sign-on, codes that work once, and the attempts that throttling counts.

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

-- Accounts at identity providers that sign in as a user here.
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

-- Links that set a password.
-- skip if table password_links exists
CREATE TABLE password_links (
  user_id {{bigint}} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash {{text}} NOT NULL UNIQUE,
  created_at {{bigint}} NOT NULL,
  expires_at {{bigint}} NOT NULL
) {{strict}};

-- Questions for a second factor that wait for an answer.
-- skip if table factor_challenges exists
CREATE TABLE factor_challenges (
  token_hash {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose {{text}} NOT NULL CHECK (purpose IN ('sign_in', 'confirm', 'enrol')),
  session_id {{text}},
  expires_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS factor_challenges_user ON factor_challenges (user_id);

-- Codes with which a browser signs a terminal in.
-- skip if table terminal_sign_ins exists
CREATE TABLE terminal_sign_ins (
  code_hash {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  terminal {{text}} NOT NULL,
  name {{text}} NOT NULL,
  scope {{text}} NOT NULL CHECK (scope IN ('read', 'write')),
  factor_at {{bigint}},
  expires_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS terminal_sign_ins_user ON terminal_sign_ins (user_id);

-- Failed sign-ins and new accounts of the last while, by a hash of the name or address.
-- skip if table attempts exists
CREATE TABLE attempts (
  id {{id}},
  name {{text}} NOT NULL,
  at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS attempts_name ON attempts (name, at);
CREATE INDEX IF NOT EXISTS attempts_at ON attempts (at);
