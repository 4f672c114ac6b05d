-- Where users get notifications, and the notifications that wait to be sent.

-- `next_at` is when it can be tried again: later after a failure, and while one program is sending.
-- skip if table notice_targets exists
CREATE TABLE notice_targets (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind {{text}} NOT NULL,
  host {{text}} NOT NULL,
  sealed {{blob}} NOT NULL,
  events {{text}} NOT NULL,
  created_at {{bigint}} NOT NULL,
  next_at {{bigint}} NOT NULL DEFAULT 0,
  failures {{bigint}} NOT NULL DEFAULT 0,
  last_sent_at {{bigint}},
  problem {{text}}
) {{strict}};
CREATE INDEX IF NOT EXISTS notice_targets_user ON notice_targets (user_id);

-- skip if table notices exists
CREATE TABLE notices (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  target_id {{bigint}} NOT NULL REFERENCES notice_targets (id) ON DELETE CASCADE,
  body {{text}} NOT NULL,
  created_at {{bigint}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS notices_user ON notices (user_id);
CREATE INDEX IF NOT EXISTS notices_target ON notices (target_id, id);
