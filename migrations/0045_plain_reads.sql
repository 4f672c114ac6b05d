-- Lists, statistics and awards come from the rows and indexes of the contacts: nothing computed is stored any more.

DROP TABLE IF EXISTS log_columns;

DROP TABLE IF EXISTS log_years;

DROP TABLE IF EXISTS log_tallies;

DROP TABLE IF EXISTS kept_answers;

ALTER TABLE users DROP COLUMN tallied_version;
