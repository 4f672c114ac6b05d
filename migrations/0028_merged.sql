-- What a service calls a contact that was deleted or merged: its record is known by that, whatever else it says.

CREATE INDEX IF NOT EXISTS qso_tombstones_first ON qso_tombstones (user_id, first_id) WHERE first_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS qso_tombstones_second ON qso_tombstones (user_id, second_id) WHERE second_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS qso_tombstones_merged ON qso_tombstones (user_id, qso_id) WHERE merged_into IS NOT NULL;
