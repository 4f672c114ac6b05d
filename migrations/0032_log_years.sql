-- What the page of statistics counts of a log, year by year: the contacts by columns, so that any choice of them is counted
-- as fast as all. It takes the place of what each year came to, which said nothing about a choice. A change takes away
-- the years that it is about; what is there is valid as long as users.tallied_version is.

DROP TABLE IF EXISTS log_figures;

-- skip if table log_years exists
CREATE TABLE log_years (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  year {{bigint}} NOT NULL,
  contacts {{blob}} NOT NULL,
  PRIMARY KEY (user_id, year)
) {{strict}};
