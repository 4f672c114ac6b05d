-- What the installation knows of itself, who runs its jobs, what went wrong beside them, and whose book a key opens.

-- A fingerprint of the secret that everything here is sealed with.
-- skip if table installation exists
CREATE TABLE installation (
  name {{text}} PRIMARY KEY,
  value {{text}} NOT NULL
) {{strict}};

-- One row for each kind of mishap that a program got over by itself.
-- skip if table mishaps exists
CREATE TABLE mishaps (
  kind {{text}} PRIMARY KEY,
  times {{bigint}} NOT NULL,
  longest_ms {{bigint}} NOT NULL,
  last_at {{bigint}} NOT NULL
) {{strict}};

-- Where the process number of a worker means anything, and since when it is that of this process.
-- skip if column workers.place exists
ALTER TABLE workers ADD COLUMN place {{text}};
-- skip if column workers.born exists
ALTER TABLE workers ADD COLUMN born {{text}};

-- The callsign whose book a service says that the credentials open, and the one that a person agreed to.
-- skip if column service_credentials.book exists
ALTER TABLE service_credentials ADD COLUMN book {{text}};
-- skip if column service_credentials.agreed_book exists
ALTER TABLE service_credentials ADD COLUMN agreed_book {{text}};
