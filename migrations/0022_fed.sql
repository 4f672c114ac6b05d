-- What a program told last, so that it is seen at once wherever the log is looked at.

-- skip if column sync_jobs.latest exists
ALTER TABLE sync_jobs ADD COLUMN latest {{text}};
