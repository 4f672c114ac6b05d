-- When a user last made an authenticated request; null until the first.

-- skip if column users.last_seen exists
ALTER TABLE users ADD COLUMN last_seen {{bigint}};
