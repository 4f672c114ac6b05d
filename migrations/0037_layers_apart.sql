-- What a service says of a contact has a row of its own: a contact that is there does not grow where another service
-- speaks of it, and SQLite need not split the pages of contacts. Layers that stand in contacts stay there until they change.

-- SQLite keeps the rows in the order in which they come, whatever the order of the contacts, because INT is not INTEGER:
-- rows that come in falling order leave every page half empty.
-- only on sqlite
-- skip if table first_layers exists
CREATE TABLE first_layers (
  qso_id INT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};

-- only on sqlite
-- skip if table second_layers exists
CREATE TABLE second_layers (
  qso_id INT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};


-- only on postgres
-- skip if table first_layers exists
CREATE TABLE first_layers (
  qso_id BIGINT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};

-- only on postgres
-- skip if table second_layers exists
CREATE TABLE second_layers (
  qso_id BIGINT PRIMARY KEY REFERENCES qsos (id) ON DELETE CASCADE,
  layer {{blob}} NOT NULL
) {{strict}};
