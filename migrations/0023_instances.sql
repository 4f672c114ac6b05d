-- Several programs on one database: until when a worker may write, who holds a job, and what all of them count together.

-- By the clock of the database.
-- skip if column workers.alive_until exists
ALTER TABLE workers ADD COLUMN alive_until {{bigint}} NOT NULL DEFAULT 0;

-- Rises whenever a job changes hands: who held it before writes nothing more.
-- skip if column sync_jobs.fence exists
ALTER TABLE sync_jobs ADD COLUMN fence {{bigint}} NOT NULL DEFAULT 0;
-- skip if column sync_jobs.stop_asked_at exists
ALTER TABLE sync_jobs ADD COLUMN stop_asked_at {{bigint}};
-- Whether a person agreed to download the logbook of another callsign.
-- skip if column sync_jobs.confirmed exists
ALTER TABLE sync_jobs ADD COLUMN confirmed {{bigint}} NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS sync_jobs_queue ON sync_jobs (created_at) WHERE status = 'pending' AND worker_id IS NULL;

-- Failed sign-ins and new accounts of a while, by a hash of who and where.
-- skip if table attempts exists
CREATE TABLE attempts (
  id {{id}},
  name {{text}} NOT NULL,
  at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS attempts_name ON attempts (name, at);
CREATE INDEX IF NOT EXISTS attempts_at ON attempts (at);

-- When each account or service was last asked.
-- skip if table paces exists
CREATE TABLE paces (
  name {{text}} PRIMARY KEY,
  last_at {{bigint}} NOT NULL
) {{strict}};
