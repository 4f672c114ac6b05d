-- What happened to an account.

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
