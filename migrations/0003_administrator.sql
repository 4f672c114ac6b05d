-- Administrators, and the log of what they do. An entry outlives both people it names.

-- skip if column users.role exists
ALTER TABLE users ADD COLUMN role {{text}} NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin'));
CREATE INDEX IF NOT EXISTS users_administrators ON users (role) WHERE role = 'admin';

-- skip if table admin_actions exists
CREATE TABLE admin_actions (
  id {{id}},
  at {{bigint}} NOT NULL,
  admin_id {{bigint}} REFERENCES users (id) ON DELETE SET NULL,
  admin_name {{text}} NOT NULL,
  via {{text}} NOT NULL CHECK (via IN ('web', 'api', 'cli', 'impersonation')),
  action {{text}} NOT NULL,
  target_id {{bigint}} REFERENCES users (id) ON DELETE SET NULL,
  target_name {{text}},
  details {{text}} NOT NULL DEFAULT '{}'
) {{strict}};
CREATE INDEX IF NOT EXISTS admin_actions_at ON admin_actions (at DESC, id DESC);
CREATE INDEX IF NOT EXISTS admin_actions_admin ON admin_actions (admin_id);
CREATE INDEX IF NOT EXISTS admin_actions_target ON admin_actions (target_id);
