-- What contacts were before something changed them that is no job: a person's hand, or a job that was taken back. With
-- the changes of jobs it says what a log was at any moment since.

-- skip if table qso_pasts exists
CREATE TABLE qso_pasts (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  qso_id {{bigint}} NOT NULL,
  at {{bigint}} NOT NULL,
  cause {{text}} NOT NULL CHECK (cause IN ('hand', 'rollback')),
  after_change {{bigint}} NOT NULL,
  went {{bigint}} NOT NULL CHECK (went IN (0, 1)),
  before_data {{blob}}
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_pasts_user ON qso_pasts (user_id, at);
CREATE INDEX IF NOT EXISTS qso_pasts_qso ON qso_pasts (qso_id, id);

-- Since when everything that changes a log is recorded.
-- skip if column users.recorded_since exists
ALTER TABLE users ADD COLUMN recorded_since {{bigint}} NOT NULL DEFAULT 0;
UPDATE users SET recorded_since = {{now}};
