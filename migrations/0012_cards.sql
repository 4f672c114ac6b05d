-- Statistics count cards too, in the order in which their roll-up groups.

DROP INDEX IF EXISTS qsos_rollup;
CREATE INDEX IF NOT EXISTS qsos_rollup ON qsos (user_id, mode, submode, mode_group, band, year,
  first_confirmed, second_confirmed, card_confirmed, station_callsign, started_at);
