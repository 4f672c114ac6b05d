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

-- Links that set a password, codes for terminals, and questions for a second factor.
-- skip if table one_time_codes exists
CREATE TABLE one_time_codes (
  hash {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose {{text}} NOT NULL,
  data {{text}} NOT NULL,
  expires_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS one_time_codes_user ON one_time_codes (user_id);

-- Failed sign-ins and new accounts of the last while, by a hash of the name or address.
-- skip if table attempts exists
CREATE TABLE attempts (
  id {{id}},
  name {{text}} NOT NULL,
  at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS attempts_name ON attempts (name, at);
CREATE INDEX IF NOT EXISTS attempts_at ON attempts (at);
