-- Jobs of other sources than downloads and files. A CHECK cannot be altered, so a second column takes the place of the
-- first.

ALTER TABLE sync_jobs ADD COLUMN source_now {{text}} NOT NULL DEFAULT 'file'
  CHECK (source_now IN ('first', 'second', 'file', 'feed', 'repair'));
UPDATE sync_jobs SET source_now = source;
DROP INDEX IF EXISTS sync_jobs_one_active;
ALTER TABLE sync_jobs DROP COLUMN source;
ALTER TABLE sync_jobs RENAME COLUMN source_now TO source;
CREATE UNIQUE INDEX sync_jobs_one_active ON sync_jobs (user_id, source) WHERE status IN ('pending', 'running');

-- What a repair has still to do: the contacts that were chosen when it began.
-- skip if table repair_targets exists
CREATE TABLE repair_targets (
  id {{id}},
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  qso_id {{bigint}},
  other_id {{bigint}}
) {{strict}};
CREATE INDEX IF NOT EXISTS repair_targets_job ON repair_targets (job_id, id);

-- The repair that deleted a contact brings it back when it is undone. One that was merged into another stays known by
-- its own words, so that no source brings it a second time.
-- skip if column qso_tombstones.job_id exists
ALTER TABLE qso_tombstones ADD COLUMN job_id {{bigint}} REFERENCES sync_jobs (id) ON DELETE SET NULL;
-- skip if column qso_tombstones.qso_id exists
ALTER TABLE qso_tombstones ADD COLUMN qso_id {{bigint}};
-- skip if column qso_tombstones.merged_into exists
ALTER TABLE qso_tombstones ADD COLUMN merged_into {{bigint}};
CREATE INDEX IF NOT EXISTS qso_tombstones_job ON qso_tombstones (job_id, qso_id);
