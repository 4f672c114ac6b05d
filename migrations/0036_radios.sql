-- What the radios of a user are set to, as programs last told. Any program may be asked.

-- skip if table radios exists
CREATE TABLE radios (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name {{text}} NOT NULL,
  state {{text}} NOT NULL,
  updated_at {{bigint}} NOT NULL
) {{strict}};
CREATE UNIQUE INDEX IF NOT EXISTS radios_name ON radios (user_id, name);
