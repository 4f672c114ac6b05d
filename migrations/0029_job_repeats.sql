-- Contacts of which an import told again what the log knew: they are its own too, and stay when the other is undone.
-- skip if table job_repeats exists
CREATE TABLE job_repeats (
  id {{id}},
  job_id {{bigint}} NOT NULL REFERENCES sync_jobs (id) ON DELETE CASCADE,
  -- Whether the import told everything that files had said of these contacts, or a part of it.
  is_whole {{bigint}} NOT NULL,
  first_qso {{bigint}} NOT NULL,
  last_qso {{bigint}} NOT NULL,
  -- Ids in order, each as its distance from the one before, seven bits a byte.
  qsos {{blob}} NOT NULL
) {{strict}};
CREATE INDEX IF NOT EXISTS job_repeats_job ON job_repeats (job_id, first_qso);
