-- The accounts at the services, where each download resumes, and who is asking which account now.

-- skip if table service_credentials exists
CREATE TABLE service_credentials (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source {{text}} NOT NULL,
  account {{text}} NOT NULL DEFAULT 'main',
  sealed {{blob}} NOT NULL,
  callsign {{text}},
  -- The callsign whose logbook these credentials open at the service, and the one that the user agreed to.
  book {{text}},
  agreed_book {{text}},
  login_hash {{text}} NOT NULL,
  state {{text}} NOT NULL DEFAULT 'unknown' CHECK (state IN ('ok', 'rejected', 'unknown')),
  state_reason {{text}},
  checked_at {{bigint}},
  failures {{bigint}} NOT NULL DEFAULT 0,
  updated_at {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, source, account)
) {{strict}};

-- skip if table sync_cursors exists
CREATE TABLE sync_cursors (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source {{text}} NOT NULL,
  account {{text}} NOT NULL DEFAULT 'main',
  cursor_data {{text}} NOT NULL,
  updated_at {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, source, account)
) {{strict}};

-- The job that has an account, and its fence at that time.
-- skip if table account_leases exists
CREATE TABLE account_leases (
  source {{text}} NOT NULL,
  login_hash {{text}} NOT NULL,
  worker_id {{text}} NOT NULL REFERENCES workers (id) ON DELETE CASCADE,
  job_id {{bigint}} NOT NULL DEFAULT 0,
  fence {{bigint}} NOT NULL DEFAULT 0,
  taken_at {{bigint}} NOT NULL,
  PRIMARY KEY (source, login_hash)
) {{strict}};
CREATE INDEX IF NOT EXISTS account_leases_worker ON account_leases (worker_id);

-- When each account or service was last asked.
-- skip if table paces exists
CREATE TABLE paces (
  name {{text}} PRIMARY KEY,
  last_at {{bigint}} NOT NULL
) {{strict}};
