-- Which format the columns of a year are in: a program of another version, on the same database, packs them in its own. What
-- was packed before says nothing of that, and is packed anew.

-- skip if column log_years.format exists
ALTER TABLE log_years ADD COLUMN format {{bigint}} NOT NULL DEFAULT 0;
