-- Users, how they sign in, their contacts with every record received, and the jobs that fill the log.

-- skip if table users exists
CREATE TABLE users (
  id {{id}},
  username {{text}} NOT NULL UNIQUE,
  password_hash {{text}} NOT NULL,
  callsign {{text}},
  email {{text}},
  log_version {{bigint}} NOT NULL DEFAULT 0,
  -- The log as of a past date is known since this moment.
  recorded_since {{bigint}} NOT NULL DEFAULT 0,
  created_at {{bigint}} NOT NULL DEFAULT {{now}},
  deleted_at {{bigint}}
) {{strict}};

-- skip if table sessions exists
CREATE TABLE sessions (
  id {{text}} PRIMARY KEY,
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  parent_id {{text}} REFERENCES sessions (id) ON DELETE CASCADE,
  begun_by {{text}},
  created_at {{bigint}} NOT NULL,
  expires_at {{bigint}} NOT NULL,
  last_used_at {{bigint}} NOT NULL,
  -- When the user last gave the password, and a second factor.
  confirmed_at {{bigint}},
  factor_at {{bigint}},
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
  scope {{text}} NOT NULL,
  token_hash {{text}} NOT NULL UNIQUE,
  created_at {{bigint}} NOT NULL,
  -- When the user who created the token had given a second factor.
  factor_at {{bigint}},
  expires_at {{bigint}},
  last_used_at {{bigint}}
) {{strict}};
CREATE INDEX IF NOT EXISTS api_tokens_user ON api_tokens (user_id);

-- A process that runs jobs. It is dead when it no longer updates beat_at.
-- skip if table workers exists
CREATE TABLE workers (
  id {{text}} PRIMARY KEY,
  host {{text}} NOT NULL,
  -- Where the process number is valid, and when this process started: numbers are used again.
  place {{text}},
  pid {{bigint}} NOT NULL,
  born {{text}},
  started_at {{bigint}} NOT NULL,
  beat_at {{bigint}} NOT NULL,
  -- By the clock of the database: until when it can write.
  alive_until {{bigint}} NOT NULL DEFAULT 0
) {{strict}};

-- skip if table sync_jobs exists
CREATE TABLE sync_jobs (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source {{text}} NOT NULL,
  -- The account at the service, as a keyed hash of the login.
  account_hash {{text}},
  -- The program that feeds the log, the day as the moment it began, and the last contacts it reported.
  client {{text}},
  feed_day {{bigint}},
  latest {{text}},
  trigger_kind {{text}} NOT NULL CHECK (trigger_kind IN ('manual', 'auto', 'cli')),
  status {{text}} NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  options {{text}} NOT NULL DEFAULT '{}',
  dry_run {{bigint}} NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1)),
  -- Whether the user agreed to download the logbook of another callsign.
  confirmed {{bigint}} NOT NULL DEFAULT 0,
  attempt {{bigint}} NOT NULL DEFAULT 1,
  -- The uploaded file that an import reads. It is removed when the job ends.
  upload_file {{text}},
  worker_id {{text}} REFERENCES workers (id) ON DELETE SET NULL,
  -- Rises when another worker takes the job, so that the one before can write no more.
  fence {{bigint}} NOT NULL DEFAULT 0,
  created_at {{bigint}} NOT NULL,
  started_at {{bigint}},
  stop_asked_at {{bigint}},
  finished_at {{bigint}},
  stats {{text}} NOT NULL DEFAULT '{}',
  progress {{text}},
  cursor_before {{text}},
  cursor_after {{text}},
  gains {{text}},
  -- The lengths of the lists in gains, which can hold thousands of names.
  gain_counts {{text}},
  error_code {{text}},
  error_message {{text}},
  -- While the job is being rolled back: since when, and how far.
  rolling_back_since {{bigint}},
  rollback {{text}},
  rolled_back_at {{bigint}},
  rolled_back_by {{bigint}} REFERENCES users (id) ON DELETE SET NULL,
  -- When its changes were removed to save space.
  pruned_at {{bigint}}
) {{strict}};
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_one_active ON sync_jobs (user_id, source)
  WHERE status IN ('pending', 'running');
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_one_rolling_back ON sync_jobs (user_id) WHERE rolling_back_since IS NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS sync_jobs_feed ON sync_jobs (user_id, client, feed_day)
  WHERE feed_day IS NOT NULL AND status = 'completed';
CREATE INDEX IF NOT EXISTS sync_jobs_newest ON sync_jobs (user_id, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS sync_jobs_status ON sync_jobs (status, created_at);
CREATE INDEX IF NOT EXISTS sync_jobs_queue ON sync_jobs (created_at) WHERE status = 'pending' AND worker_id IS NULL;
CREATE INDEX IF NOT EXISTS sync_jobs_worker ON sync_jobs (worker_id);
CREATE INDEX IF NOT EXISTS sync_jobs_rolled_back_by ON sync_jobs (rolled_back_by);

-- Where records come from: what each bit of qsos.recorded_by and qsos.confirmed_by means. The program fills it.
-- skip if table origins exists
CREATE TABLE origins (
  id {{bigint}} PRIMARY KEY,
  bit {{bigint}} NOT NULL UNIQUE,
  name {{text}} NOT NULL UNIQUE
) {{strict}};

-- A contact, with what follows from all that its origins say.
-- skip if table qsos exists
CREATE TABLE qsos (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at {{bigint}} NOT NULL,
  updated_at {{bigint}} NOT NULL,
  rules_version {{bigint}} NOT NULL DEFAULT 0,
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
  contest_id {{text}},
  year {{bigint}} NOT NULL,
  -- Which origins have a record of the contact, and which confirmed it: masks of origins.bit. The owner confirms by a card.
  recorded_by {{bigint}} NOT NULL,
  confirmed_by {{bigint}} NOT NULL,
  -- When they did, and what they confirmed of the place where it is not what the contact counts for: JSON by origins.bit.
  confirmed_times {{text}},
  confirmed_as {{text}},
  award_entity {{bigint}},
  award_state {{text}},
  award_zone {{bigint}},
  award_grids {{text}},
  -- Where the contact was made from: awards are won from one entity, or from a circle on the map.
  own_entity {{bigint}},
  own_grid {{text}},
  two_way {{bigint}} CHECK (two_way IN (0, 1)),
  credits {{text}}
) {{strict}};

-- The newest contacts of a log, and what lists filter and sort by, so that they read the rows of their page only. Both
-- engines read it backwards for ORDER BY started_at DESC, id DESC.
CREATE INDEX IF NOT EXISTS qsos_newest ON qsos (user_id, started_at, id, call, band, mode, submode, mode_group, dxcc,
  station_callsign, state, contest_id, own_entity, own_grid, confirmed_by, recorded_by);
-- The contacts that were changed last.
CREATE INDEX IF NOT EXISTS qsos_updated ON qsos (user_id, updated_at);
-- What searches look into. A row of an index of PostgreSQL is too short for the longest texts: there searches read the
-- rows, and lists in the order of modes have an index.
-- only on sqlite
CREATE INDEX IF NOT EXISTS qsos_text ON qsos (user_id, started_at, call, name, qth, comment, gridsquare);
-- only on postgres
CREATE INDEX IF NOT EXISTS qsos_mode ON qsos (user_id, coalesce(submode, mode), started_at, id);
-- The candidates for a received record, and the number of callsigns in a log.
CREATE INDEX IF NOT EXISTS qsos_call ON qsos (user_id, call, started_at, station_callsign);
-- Statistics, in the order in which they group; lists of one mode.
CREATE INDEX IF NOT EXISTS qsos_rollup ON qsos (user_id, mode, submode, mode_group, band, year, confirmed_by,
  station_callsign, started_at);
-- Lists of one band, of one station callsign.
CREATE INDEX IF NOT EXISTS qsos_band ON qsos (user_id, band, started_at);
CREATE INDEX IF NOT EXISTS qsos_station ON qsos (user_id, station_callsign, started_at);
-- Awards for entities, continents, zones and states in one pass, in the order in which it groups; lists of one entity.
CREATE INDEX IF NOT EXISTS qsos_entity ON qsos (user_id, dxcc, award_entity, continent, award_zone, award_state,
  confirmed_as, band, prop_mode, credits, mode_group, confirmed_by, two_way, mode,
  station_callsign, own_entity, started_at);
-- Awards for prefixes.
CREATE INDEX IF NOT EXISTS qsos_prefix ON qsos (user_id, prefix, credits, band, prop_mode, confirmed_by, mode_group,
  station_callsign, own_entity, started_at);
-- Awards for squares and islands: only the few contacts that can count for them.
CREATE INDEX IF NOT EXISTS qsos_squares ON qsos (user_id, iota, band, prop_mode, credits, award_grids, confirmed_as,
  confirmed_by, mode_group, station_callsign, own_entity, own_grid, started_at)
  WHERE iota IS NOT NULL OR prop_mode = 'SAT'
     OR band IN ('6m', '5m', '4m', '2m', '1.25m', '70cm', '33cm', '23cm', '13cm', '9cm', '6cm', '3cm', '1.25cm',
                 '6mm', '4mm', '2.5mm', '2mm', '1mm', 'submm');

-- What services call contacts, whether they said so themselves or a file did. The names of deleted contacts stay: a service
-- that sends one again is known by them.
-- skip if table qso_service_ids exists
CREATE TABLE qso_service_ids (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Of the table origins.
  origin {{bigint}} NOT NULL,
  external_id {{text}} NOT NULL,
  qso_id {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, origin, external_id, qso_id)
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_service_ids_qso ON qso_service_ids (qso_id);

-- What was received about contacts, word for word. A record is never changed: a newer version is a new row. What a contact
-- says follows from its records that are not outdated; what it said before a change, from those that the change names.
-- skip if table records exists
CREATE TABLE records (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The records of deleted contacts stay.
  qso_id {{bigint}} NOT NULL,
  -- Null where a service has the record beside the one that it knows the contact by.
  placed_as {{bigint}},
  -- Of the table origins.
  origin {{bigint}} NOT NULL,
  record_key {{text}} NOT NULL,
  -- Call and minute as a file has them.
  filed_as {{text}},
  -- Null for what a person typed.
  job_id {{bigint}} REFERENCES sync_jobs (id) ON DELETE SET NULL,
  received_at {{bigint}} NOT NULL,
  outdated {{bigint}} NOT NULL DEFAULT 0 CHECK (outdated IN (0, 1)),
  record {{text}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS records_user ON records (user_id, origin, record_key);
CREATE INDEX IF NOT EXISTS records_filed ON records (user_id, filed_as) WHERE filed_as IS NOT NULL AND outdated = 0;
CREATE INDEX IF NOT EXISTS records_qso ON records (qso_id);
CREATE INDEX IF NOT EXISTS records_job ON records (job_id);

-- A record that could be neither matched nor read. Every later job offers it to the matcher again.
-- skip if table sync_leftovers exists
CREATE TABLE sync_leftovers (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  source {{text}} NOT NULL,
  kind {{text}} NOT NULL CHECK (kind IN ('unmatched', 'rejected')),
  reason {{text}} NOT NULL,
  part {{text}} NOT NULL,
  external_id {{text}},
  record {{text}} NOT NULL,
  candidates {{text}} NOT NULL DEFAULT '[]',
  created_at {{bigint}} NOT NULL,
  resolved_at {{bigint}},
  resolved_by_job {{bigint}} REFERENCES sync_jobs (id) ON DELETE SET NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS sync_leftovers_job ON sync_leftovers (job_id, id);
CREATE INDEX IF NOT EXISTS sync_leftovers_open ON sync_leftovers (user_id, source) WHERE resolved_at IS NULL;
CREATE INDEX IF NOT EXISTS sync_leftovers_user ON sync_leftovers (user_id);
CREATE INDEX IF NOT EXISTS sync_leftovers_resolved_by ON sync_leftovers (resolved_by_job);

-- A contact that a person or a repair deleted or merged: a service that sends it again does not bring it back.
-- skip if table qso_tombstones exists
CREATE TABLE qso_tombstones (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  qso_id {{bigint}},
  -- The repair that deleted the contact, and brings it back when it is undone.
  job_id {{bigint}} REFERENCES sync_jobs (id) ON DELETE SET NULL,
  merged_into {{bigint}},
  deleted_at {{bigint}} NOT NULL,
  call {{text}} NOT NULL,
  started_at {{bigint}} NOT NULL,
  band {{text}},
  mode_group {{text}},
  station_callsign {{text}}
) {{strict}};
CREATE INDEX IF NOT EXISTS qso_tombstones_user ON qso_tombstones (user_id, call, started_at);
CREATE INDEX IF NOT EXISTS qso_tombstones_job ON qso_tombstones (job_id, qso_id);
CREATE INDEX IF NOT EXISTS qso_tombstones_qso ON qso_tombstones (user_id, qso_id);

-- A program's own name for a contact, by which it corrects or deletes it.
-- skip if table feed_names exists
CREATE TABLE feed_names (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  client {{text}} NOT NULL,
  name {{text}} NOT NULL,
  qso_id {{bigint}} NOT NULL,
  PRIMARY KEY (user_id, client, name)
) {{strict}};
CREATE INDEX IF NOT EXISTS feed_names_qso ON feed_names (qso_id);

-- Records of files and programs that another job gave again: they stay when the job that gave them first is undone.
-- skip if table job_repeats exists
CREATE TABLE job_repeats (
  id {{id}},
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  from_id {{bigint}} NOT NULL,
  to_id {{bigint}} NOT NULL,
  -- The ids of the records in order, as JSON.
  records {{text}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS job_repeats_user ON job_repeats (user_id, from_id);
CREATE INDEX IF NOT EXISTS job_repeats_job ON job_repeats (job_id);

-- The fields that the headers of imported files define, so that an export defines them too.
-- skip if table user_fields exists
CREATE TABLE user_fields (
  user_id {{bigint}} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name {{text}} NOT NULL,
  type {{text}},
  allowed {{text}},
  PRIMARY KEY (user_id, name)
) {{strict}};
