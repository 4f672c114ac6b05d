-- The contest that a contact was made in.

-- skip if column qsos.contest_id exists
ALTER TABLE qsos ADD COLUMN contest_id {{text}};
