-- When somebody last proved to be the session's user; what happened to an account; links that set a password once.

-- skip if column sessions.confirmed_at exists
ALTER TABLE sessions ADD COLUMN confirmed_at {{bigint}};

-- skip if table account_events exists
CREATE TABLE account_events (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  at {{bigint}} NOT NULL,
  event {{text}} NOT NULL,
  by_name {{text}},
  address {{text}},
  user_agent {{text}},
  details {{text}} NOT NULL DEFAULT '{}'
) {{strict}};
CREATE INDEX IF NOT EXISTS account_events_newest ON account_events (user_id, id);

-- skip if table password_links exists
CREATE TABLE password_links (
  user_id {{bigint}} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  token_hash {{text}} NOT NULL UNIQUE,
  created_at {{bigint}} NOT NULL,
  expires_at {{bigint}} NOT NULL
) {{strict}};
