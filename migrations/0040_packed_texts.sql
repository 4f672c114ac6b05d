-- A part of a call, a name or a comment is looked for in the columns of a log, however short it is and whatever else is
-- asked. The index of letters, which was filled behind the server, and that of PostgreSQL go. The years of logs are
-- packed anew, with what is looked for in them.

-- only on sqlite
DROP TRIGGER IF EXISTS qso_texts_back;

-- only on sqlite
DROP TRIGGER IF EXISTS qso_texts_gone;

-- only on sqlite
DROP TRIGGER IF EXISTS qso_texts_edited;

-- only on sqlite
DROP TABLE IF EXISTS qso_texts;

-- only on sqlite
DROP TABLE IF EXISTS qso_texts_filled;

-- only on postgres
DROP INDEX IF EXISTS qsos_text;

DELETE FROM log_columns;

DELETE FROM log_years;
