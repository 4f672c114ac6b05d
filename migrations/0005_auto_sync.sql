-- Periodic syncs, one row per user.

-- skip if table auto_sync_settings exists
CREATE TABLE auto_sync_settings (
  user_id {{bigint}} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  first_enabled {{bigint}} NOT NULL DEFAULT 0 CHECK (first_enabled IN (0, 1)),
  first_interval_hours {{bigint}} NOT NULL DEFAULT 24 CHECK (first_interval_hours BETWEEN 1 AND 720),
  first_last_sync_at {{bigint}},
  first_next_sync_at {{bigint}},
  second_enabled {{bigint}} NOT NULL DEFAULT 0 CHECK (second_enabled IN (0, 1)),
  second_interval_hours {{bigint}} NOT NULL DEFAULT 24 CHECK (second_interval_hours BETWEEN 1 AND 720),
  second_last_sync_at {{bigint}},
  second_next_sync_at {{bigint}},
  created_at {{bigint}} NOT NULL DEFAULT {{now}},
  updated_at {{bigint}} NOT NULL DEFAULT {{now}}
) {{strict}};
CREATE INDEX IF NOT EXISTS auto_sync_settings_first_due ON auto_sync_settings (first_next_sync_at)
  WHERE first_enabled = 1;
CREATE INDEX IF NOT EXISTS auto_sync_settings_second_due ON auto_sync_settings (second_next_sync_at)
  WHERE second_enabled = 1;
