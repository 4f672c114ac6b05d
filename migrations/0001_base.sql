-- Users, how they sign in, their log, and the jobs that fill it.

-- skip if table users exists
CREATE TABLE users (
  id {{id}},
  username {{text}} NOT NULL UNIQUE,
  password_hash {{text}} NOT NULL,
  callsign {{text}},
  email {{text}},
  log_version {{bigint}} NOT NULL DEFAULT 0,
  created_at {{bigint}} NOT NULL DEFAULT {{now}},
  deleted_at {{bigint}}
) {{strict}};

-- skip if table sessions exists
CREATE TABLE sessions (
  id {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_id {{text}} REFERENCES sessions (id) ON DELETE CASCADE,
  created_at {{bigint}} NOT NULL,
  expires_at {{bigint}} NOT NULL,
  last_used_at {{bigint}} NOT NULL,
  address {{text}},
  user_agent {{text}}
) {{strict}};
CREATE INDEX IF NOT EXISTS sessions_user ON sessions (user_id);
CREATE INDEX IF NOT EXISTS sessions_parent ON sessions (parent_id);

-- skip if table api_tokens exists
CREATE TABLE api_tokens (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name {{text}} NOT NULL,
  scope {{text}} NOT NULL CHECK (scope IN ('read', 'write')),
  token_hash {{text}} NOT NULL UNIQUE,
  created_at {{bigint}} NOT NULL,
  expires_at {{bigint}},
  last_used_at {{bigint}}
) {{strict}};
CREATE INDEX IF NOT EXISTS api_tokens_user ON api_tokens (user_id);

-- A process that runs jobs; it is dead when its beat stays away.
-- skip if table workers exists
CREATE TABLE workers (
  id {{text}} PRIMARY KEY,
  host {{text}} NOT NULL,
  pid {{bigint}} NOT NULL,
  started_at {{bigint}} NOT NULL,
  beat_at {{bigint}} NOT NULL
) {{strict}};

-- skip if table sync_jobs exists
CREATE TABLE sync_jobs (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source {{text}} NOT NULL CHECK (source IN ('first', 'second', 'file')),
  trigger_kind {{text}} NOT NULL CHECK (trigger_kind IN ('manual', 'auto', 'cli')),
  status {{text}} NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  options {{text}} NOT NULL DEFAULT '{}',
  dry_run {{bigint}} NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1)),
  attempt {{bigint}} NOT NULL DEFAULT 1,
  worker_id {{text}} REFERENCES workers (id) ON DELETE SET NULL,
  created_at {{bigint}} NOT NULL,
  started_at {{bigint}},
  finished_at {{bigint}},
  stats {{text}} NOT NULL DEFAULT '{}',
  progress {{text}},
  cursor_before {{text}},
  cursor_after {{text}},
  gains {{text}},
  error_code {{text}},
  error_message {{text}},
  rolled_back_at {{bigint}},
  rolled_back_by {{bigint}} REFERENCES users (id) ON DELETE SET NULL
) {{strict}};
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_one_active ON sync_jobs (user_id, source)
  WHERE status IN ('pending', 'running');
CREATE INDEX IF NOT EXISTS sync_jobs_newest ON sync_jobs (user_id, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS sync_jobs_status ON sync_jobs (status, created_at);
CREATE INDEX IF NOT EXISTS sync_jobs_worker ON sync_jobs (worker_id);
CREATE INDEX IF NOT EXISTS sync_jobs_rolled_back_by ON sync_jobs (rolled_back_by);

-- skip if table qsos exists
CREATE TABLE qsos (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at {{bigint}} NOT NULL,
  updated_at {{bigint}} NOT NULL,
  rules_version {{bigint}} NOT NULL DEFAULT 0,
  own {{blob}},
  first {{blob}},
  second {{blob}},
  call {{text}} NOT NULL,
  started_at {{bigint}} NOT NULL,
  ended_at {{bigint}},
  band {{text}},
  band_rx {{text}},
  freq_hz {{bigint}},
  mode {{text}},
  submode {{text}},
  mode_group {{text}} CHECK (mode_group IN ('cw', 'phone', 'digital', 'image')),
  station_callsign {{text}},
  operator {{text}},
  rst_sent {{text}},
  rst_rcvd {{text}},
  dxcc {{bigint}},
  continent {{text}},
  cq_zone {{bigint}},
  itu_zone {{bigint}},
  prefix {{text}},
  state {{text}},
  county {{text}},
  gridsquare {{text}},
  iota {{text}},
  name {{text}},
  qth {{text}},
  comment {{text}},
  prop_mode {{text}},
  sat_name {{text}},
  tx_power {{real}},
  year {{bigint}} NOT NULL,
  first_id {{text}},
  first_confirmed {{bigint}} NOT NULL DEFAULT 0 CHECK (first_confirmed IN (0, 1)),
  first_confirmed_at {{bigint}},
  second_id {{text}},
  second_confirmed {{bigint}} NOT NULL DEFAULT 0 CHECK (second_confirmed IN (0, 1)),
  second_confirmed_at {{bigint}},
  card_confirmed {{bigint}} NOT NULL DEFAULT 0 CHECK (card_confirmed IN (0, 1)),
  award_entity {{bigint}},
  award_state {{text}},
  award_zone {{bigint}},
  award_grids {{text}},
  first_entity {{bigint}},
  first_state {{text}},
  first_zone {{bigint}},
  first_grids {{text}},
  two_way {{bigint}} CHECK (two_way IN (0, 1)),
  credits {{text}}
) {{strict}};

-- The newest of a log; both engines read it backwards for ORDER BY started_at DESC, id DESC.
CREATE INDEX IF NOT EXISTS qsos_newest ON qsos (user_id, started_at);
-- What an incoming record could mean, and how many callsigns a log holds.
CREATE INDEX IF NOT EXISTS qsos_call ON qsos (user_id, call, started_at, station_callsign);
CREATE INDEX IF NOT EXISTS qsos_first_id ON qsos (user_id, first_id) WHERE first_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS qsos_second_id ON qsos (user_id, second_id) WHERE second_id IS NOT NULL;
-- Statistics, in the order in which their roll-up groups; the contacts in a mode.
CREATE INDEX IF NOT EXISTS qsos_rollup ON qsos (user_id, mode, submode, mode_group, band, year,
  first_confirmed, second_confirmed, station_callsign, started_at);
-- The contacts of one band, of one station callsign.
CREATE INDEX IF NOT EXISTS qsos_band ON qsos (user_id, band, started_at);
CREATE INDEX IF NOT EXISTS qsos_station ON qsos (user_id, station_callsign, started_at);
-- Awards for entities, continents, zones and states in one pass, in the order in which it groups; the contacts with one
-- entity.
CREATE INDEX IF NOT EXISTS qsos_entity ON qsos (user_id, dxcc, award_entity, continent, award_zone, award_state,
  first_entity, first_zone, first_state, band, prop_mode, credits, mode_group, first_confirmed, second_confirmed,
  card_confirmed, two_way, mode, station_callsign, started_at);
-- Awards for prefixes.
CREATE INDEX IF NOT EXISTS qsos_prefix ON qsos (user_id, prefix, credits, band, prop_mode, first_confirmed, second_confirmed,
  card_confirmed, mode_group, station_callsign, started_at);
-- Awards for squares and islands: only the few contacts that can count for them.
CREATE INDEX IF NOT EXISTS qsos_squares ON qsos (user_id, iota, band, prop_mode, credits, award_grids, first_grids,
  first_confirmed, second_confirmed, card_confirmed, mode_group, station_callsign, started_at)
  WHERE iota IS NOT NULL OR prop_mode = 'SAT'
     OR band IN ('6m', '5m', '4m', '2m', '1.25m', '70cm', '33cm', '23cm', '13cm', '9cm', '6cm', '3cm', '1.25cm',
                 '6mm', '4mm', '2.5mm', '2mm', '1mm', 'submm');

-- A contact that a person deleted: a service that sends it again does not bring it back.
-- skip if table qso_tombstones exists
CREATE TABLE qso_tombstones (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  deleted_at {{bigint}} NOT NULL,
  call {{text}} NOT NULL,
  started_at {{bigint}} NOT NULL,
  first_id {{text}},
  second_id {{text}},
  band {{text}},
  mode_group {{text}},
  station_callsign {{text}},
  row_before {{blob}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_tombstones_user ON qso_tombstones (user_id, call, started_at);
