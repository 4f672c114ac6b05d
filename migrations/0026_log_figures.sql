-- What the page of statistics shows of a log, year by year and, as the year 0, whole, as it was counted. A change takes
-- away the whole, and the years that it is about; what is there is valid as long as users.tallied_version is.

-- skip if table log_figures exists
CREATE TABLE log_figures (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  year {{bigint}} NOT NULL,
  part {{text}} NOT NULL,
  PRIMARY KEY (user_id, year)
) {{strict}};
