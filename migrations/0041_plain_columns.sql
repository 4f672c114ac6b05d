-- Columns of a log are narrow already: PostgreSQL would compress them once more, and take as long to read them as all the
-- rest of a list does.

-- only on postgres
ALTER TABLE log_columns ALTER COLUMN packed SET STORAGE EXTERNAL;
