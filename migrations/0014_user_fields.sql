-- The fields that the headers of imported logs define, so that an export defines them too.

-- skip if table user_fields exists
CREATE TABLE user_fields (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name {{text}} NOT NULL,
  type {{text}},
  allowed {{text}},
  PRIMARY KEY (user_id, name)
) {{strict}};
