-- Which job has an account, by the number that rises when a job changes hands: who had it before is told from who has it now.

-- skip if column account_leases.job_id exists
ALTER TABLE account_leases ADD COLUMN job_id {{bigint}} NOT NULL DEFAULT 0;

-- skip if column account_leases.fence exists
ALTER TABLE account_leases ADD COLUMN fence {{bigint}} NOT NULL DEFAULT 0;
