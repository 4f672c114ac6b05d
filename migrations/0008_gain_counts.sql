-- How much a job newly brought, in counts: a list of jobs need not read the names, which may be thousands.

-- skip if column sync_jobs.gain_counts exists
ALTER TABLE sync_jobs ADD COLUMN gain_counts TEXT;
