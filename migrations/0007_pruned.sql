-- When the records of what a job changed were removed to save room; null while they are there.

-- skip if column sync_jobs.pruned_at exists
ALTER TABLE sync_jobs ADD COLUMN pruned_at {{bigint}};
