-- What the installation knows of itself, such as the fingerprint of its secret, and what went wrong.

-- skip if table installation exists
CREATE TABLE installation (
  name {{text}} PRIMARY KEY,
  value {{text}} NOT NULL
) {{strict}};

-- One row for each kind of incident that the program recovered from.
-- skip if table mishaps exists
CREATE TABLE mishaps (
  kind {{text}} PRIMARY KEY,
  times {{bigint}} NOT NULL,
  longest_ms {{bigint}} NOT NULL,
  last_at {{bigint}} NOT NULL
) {{strict}};
