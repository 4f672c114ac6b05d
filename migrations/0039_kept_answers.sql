-- What was counted of a large log's awards as a whole, with the version of the log and the program that counted it, so that
-- a program that has just started need not count it again.

-- skip if table kept_answers exists
CREATE TABLE kept_answers (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  question {{text}} NOT NULL,
  log_version {{bigint}} NOT NULL,
  program {{text}} NOT NULL,
  answer {{text}} NOT NULL,
  PRIMARY KEY (user_id, question)
) {{strict}};
