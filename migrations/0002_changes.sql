-- What each job, edit and rollback did to each contact, so that it can be shown and undone, and a log shown as of a past
-- date.

-- skip if table qso_changes exists
CREATE TABLE qso_changes (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  job_id {{bigint}} REFERENCES sync_jobs (id) ON DELETE CASCADE,
  qso_id {{bigint}} NOT NULL,
  cause {{text}} NOT NULL CHECK (cause IN ('job', 'hand', 'rollback')),
  change_type {{text}} NOT NULL CHECK (change_type IN ('added', 'updated', 'unchanged', 'deleted')),
  -- `unchanged`: records came or went that say nothing alone.
  -- The ids of the contact's current records before and after, as JSON. Records never change, so they say what the contact
  -- was.
  before_data {{text}},
  after_data {{text}},
  -- qsos.updated_at before. Null in a converted database: then it is the time of the newest record.
  updated_before {{bigint}},
  created_at {{bigint}} NOT NULL,
  CHECK ((change_type = 'added') = (before_data IS NULL)),
  CHECK ((change_type = 'deleted') = (after_data IS NULL))
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_changes_user ON qso_changes (user_id, created_at);
-- Every index of SQLite ends with the id of the row.
-- only on sqlite
CREATE INDEX IF NOT EXISTS qso_changes_job ON qso_changes (job_id);
-- only on sqlite
CREATE INDEX IF NOT EXISTS qso_changes_qso ON qso_changes (qso_id);
-- only on postgres
CREATE INDEX IF NOT EXISTS qso_changes_job ON qso_changes (job_id, id);
-- only on postgres
CREATE INDEX IF NOT EXISTS qso_changes_qso ON qso_changes (qso_id, id);
