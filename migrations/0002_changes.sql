-- What each sync job did to each contact, so that it can be shown and undone.

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
CREATE INDEX IF NOT EXISTS qso_changes_job ON qso_changes (job_id, id);
CREATE INDEX IF NOT EXISTS qso_changes_qso ON qso_changes (qso_id, id);

-- A record that could be neither matched nor read. It is offered to the matcher again by every later job.
-- skip if table sync_leftovers exists
CREATE TABLE sync_leftovers (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  source {{text}} NOT NULL CHECK (source IN ('first', 'second', 'file')),
  kind {{text}} NOT NULL CHECK (kind IN ('unmatched', 'rejected')),
  reason {{text}} NOT NULL,
  part {{text}} NOT NULL,
  external_id {{text}},
  record {{blob}} NOT NULL,
  candidates {{text}} NOT NULL DEFAULT '[]',
  created_at {{bigint}} NOT NULL,
  resolved_at {{bigint}},
  resolved_by_job {{bigint}} REFERENCES sync_jobs (id) ON DELETE SET NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS sync_leftovers_job ON sync_leftovers (job_id, id);
CREATE INDEX IF NOT EXISTS sync_leftovers_open ON sync_leftovers (user_id, source) WHERE resolved_at IS NULL;
CREATE INDEX IF NOT EXISTS sync_leftovers_user ON sync_leftovers (user_id);
CREATE INDEX IF NOT EXISTS sync_leftovers_resolved_by ON sync_leftovers (resolved_by_job);
