-- Where contacts were made from. Awards are won from one entity, or from a circle on the map.

-- skip if column qsos.own_entity exists
ALTER TABLE qsos ADD COLUMN own_entity {{bigint}};
-- skip if column qsos.own_grid exists
ALTER TABLE qsos ADD COLUMN own_grid {{text}};

DROP INDEX IF EXISTS qsos_entity;
CREATE INDEX IF NOT EXISTS qsos_entity ON qsos (user_id, dxcc, award_entity, continent, award_zone, award_state,
  first_entity, first_zone, first_state, band, prop_mode, credits, mode_group, first_confirmed, second_confirmed,
  card_confirmed, two_way, mode, station_callsign, own_entity, started_at);
DROP INDEX IF EXISTS qsos_prefix;
CREATE INDEX IF NOT EXISTS qsos_prefix ON qsos (user_id, prefix, credits, band, prop_mode, first_confirmed, second_confirmed,
  card_confirmed, mode_group, station_callsign, own_entity, started_at);
DROP INDEX IF EXISTS qsos_squares;
CREATE INDEX IF NOT EXISTS qsos_squares ON qsos (user_id, iota, band, prop_mode, credits, award_grids, first_grids,
  first_confirmed, second_confirmed, card_confirmed, mode_group, station_callsign, own_entity, own_grid, started_at)
  WHERE iota IS NOT NULL OR prop_mode = 'SAT'
     OR band IN ('6m', '5m', '4m', '2m', '1.25m', '70cm', '33cm', '23cm', '13cm', '9cm', '6cm', '3cm', '1.25cm',
                 '6mm', '4mm', '2.5mm', '2mm', '1mm', 'submm');
