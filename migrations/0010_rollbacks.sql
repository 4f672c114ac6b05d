-- Since when a job is being rolled back, slice by slice, and how far that has come; one job of a user at a time.

-- skip if column sync_jobs.rolling_back_since exists
ALTER TABLE sync_jobs ADD COLUMN rolling_back_since {{bigint}};
-- skip if column sync_jobs.rollback exists
ALTER TABLE sync_jobs ADD COLUMN rollback {{text}};
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_one_rolling_back ON sync_jobs (user_id) WHERE rolling_back_since IS NOT NULL;
