-- Which account of its service a job downloaded, by the keyed hash of the login: what one account brought can be taken out.

-- skip if column sync_jobs.account_hash exists
ALTER TABLE sync_jobs ADD COLUMN account_hash {{text}};
