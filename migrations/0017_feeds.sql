-- Contacts as programs make them: a job for each program and day, what a program calls a contact, and keys for programs.
-- Where a list of words was part of a column, the column is made anew without it: such a list cannot be altered, and the
-- program knows the words.

-- The program that feeds a log, and the day, as the moment it began.
-- skip if column sync_jobs.client exists
ALTER TABLE sync_jobs ADD COLUMN client {{text}};
-- skip if column sync_jobs.feed_day exists
ALTER TABLE sync_jobs ADD COLUMN feed_day {{bigint}};
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_feed ON sync_jobs (user_id, client, feed_day)
  WHERE feed_day IS NOT NULL AND status = 'completed';

DROP INDEX IF EXISTS sync_leftovers_open;
ALTER TABLE sync_leftovers ADD COLUMN came_from {{text}} NOT NULL DEFAULT '';
UPDATE sync_leftovers SET came_from = source;
ALTER TABLE sync_leftovers DROP COLUMN source;
ALTER TABLE sync_leftovers RENAME COLUMN came_from TO source;
CREATE INDEX sync_leftovers_open ON sync_leftovers (user_id, source) WHERE resolved_at IS NULL;

ALTER TABLE api_tokens ADD COLUMN allows {{text}} NOT NULL DEFAULT 'read';
UPDATE api_tokens SET allows = scope;
ALTER TABLE api_tokens DROP COLUMN scope;
ALTER TABLE api_tokens RENAME COLUMN allows TO scope;

-- What a program calls a contact, so that it can correct it or take it back.
-- skip if table feed_names exists
CREATE TABLE feed_names (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client {{text}} NOT NULL,
  name {{text}} NOT NULL,
  qso_id {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, client, name)
) {{strict}};
CREATE INDEX IF NOT EXISTS feed_names_qso ON feed_names (qso_id);
