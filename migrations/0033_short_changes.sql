-- A change tells what a contact was by what it is now, so that nothing is kept twice. Changes that were kept whole stay
-- as they are; a program that knows only those cannot read the new ones.

-- On SQLite the id of a row is in each index anyway.
-- only on sqlite
DROP INDEX IF EXISTS qso_changes_job;
-- only on sqlite
CREATE INDEX qso_changes_job ON qso_changes (job_id);
-- only on sqlite
DROP INDEX IF EXISTS qso_changes_qso;
-- only on sqlite
CREATE INDEX qso_changes_qso ON qso_changes (qso_id);
