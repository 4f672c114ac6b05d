-- What the installation knows of itself, such as the fingerprint of its secret, and what went wrong.

-- skip if table installation exists
CREATE TABLE installation (
  name {{text}} PRIMARY KEY,
  value {{text}} NOT NULL
) {{strict}};
