-- What each log comes to, counted by one thing after the other and kept up to date with every change, so that nobody
-- counts it again; and of which version of the log that is.

-- skip if table log_tallies exists
CREATE TABLE log_tallies (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind {{text}} NOT NULL,
  name {{text}} NOT NULL,
  contacts {{bigint}} NOT NULL,
  confirmed {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, kind, name)
) {{strict}};

-- skip if column users.tallied_version exists
ALTER TABLE users ADD COLUMN tallied_version {{bigint}};
