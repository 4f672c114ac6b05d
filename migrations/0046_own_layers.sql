-- What the owner of a log said moves into a table of its own, as what services say did: a list scans rows that are a third
-- shorter.

-- only on sqlite
-- skip if table own_layers exists
CREATE TABLE own_layers (
  qso_id INT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};

-- only on postgres
-- skip if table own_layers exists
CREATE TABLE own_layers (
  qso_id BIGINT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};

INSERT INTO own_layers (qso_id, layer) SELECT id, own FROM qsos WHERE own IS NOT NULL;

ALTER TABLE qsos DROP COLUMN own;
