-- What programs report of radios, and what a repair still has to do.

-- skip if table radios exists
CREATE TABLE radios (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name {{text}} NOT NULL,
  state {{text}} NOT NULL,
  updated_at {{bigint}} NOT NULL
) {{strict}};
CREATE UNIQUE INDEX IF NOT EXISTS radios_name ON radios (user_id, name);

-- The contacts that were chosen when the repair began.
-- skip if table repair_targets exists
CREATE TABLE repair_targets (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  qso_id {{bigint}},
  other_id {{bigint}}
) {{strict}};
CREATE INDEX IF NOT EXISTS repair_targets_user ON repair_targets (user_id);
CREATE INDEX IF NOT EXISTS repair_targets_job ON repair_targets (job_id, id);
