-- Codes by which a browser lets a terminal in.

-- skip if table terminal_sign_ins exists
CREATE TABLE terminal_sign_ins (
  code_hash {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  terminal {{text}} NOT NULL,
  name {{text}} NOT NULL,
  scope {{text}} NOT NULL CHECK (scope IN ('read', 'write')),
  expires_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS terminal_sign_ins_user ON terminal_sign_ins (user_id);
