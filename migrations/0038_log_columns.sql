-- What is kept of the years of a log is kept column by column, so that a list reads only what it asks about, and a year
-- says which of its contacts have changed since. It is made anew from the contacts. What contacts have in common, which
-- was counted for lists, nobody asks any more.

DROP TABLE IF EXISTS log_years;

-- skip if table log_years exists
CREATE TABLE log_years (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  year {{bigint}} NOT NULL,
  contacts {{bigint}} NOT NULL,
  changed {{text}},
  PRIMARY KEY (user_id, year)
) {{strict}};

-- skip if table log_columns exists
CREATE TABLE log_columns (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  year {{bigint}} NOT NULL,
  name {{text}} NOT NULL,
  packed {{blob}} NOT NULL,
  PRIMARY KEY (user_id, year, name)
) {{strict}};

DELETE FROM log_tallies WHERE kind = 'alike';
