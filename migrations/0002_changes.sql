-- What each job, edit and rollback did to each contact, so that it can be shown and undone, and a log shown as of a past
-- date.

-- skip if table qso_changes exists
CREATE TABLE qso_changes (
  id {{id}},
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  qso_id {{bigint}} NOT NULL,
  change_type {{text}} NOT NULL CHECK (change_type IN ('added', 'updated')),
  before_data {{blob}},
  after_data {{blob}} NOT NULL,
  created_at {{bigint}} NOT NULL,
  CHECK ((change_type = 'added') = (before_data IS NULL))
) {{strict}};
-- Every index of SQLite ends with the id of the row.
-- only on sqlite
CREATE INDEX IF NOT EXISTS qso_changes_job ON qso_changes (job_id);
-- only on sqlite
CREATE INDEX IF NOT EXISTS qso_changes_qso ON qso_changes (qso_id);
-- only on postgres
CREATE INDEX IF NOT EXISTS qso_changes_job ON qso_changes (job_id, id);
-- only on postgres
CREATE INDEX IF NOT EXISTS qso_changes_qso ON qso_changes (qso_id, id);

-- What a contact was before a person edited it or a job was rolled back.
-- skip if table qso_pasts exists
CREATE TABLE qso_pasts (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  qso_id {{bigint}} NOT NULL,
  at {{bigint}} NOT NULL,
  cause {{text}} NOT NULL CHECK (cause IN ('hand', 'rollback')),
  after_change {{bigint}} NOT NULL,
  went {{bigint}} NOT NULL CHECK (went IN (0, 1)),
  before_data {{blob}}
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_pasts_user ON qso_pasts (user_id, at);
CREATE INDEX IF NOT EXISTS qso_pasts_qso ON qso_pasts (qso_id, id);
