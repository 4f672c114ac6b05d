-- Which contacts hold which three letters in a row, so that a part of a call, a name or a comment is found in a large log.
-- The contacts up to an id are in it: it is filled behind the server, and what came later is looked through. PostgreSQL
-- has an index of its own for this, which is made beside the server too.

-- only on sqlite
-- skip if table qso_texts_filled exists
CREATE TABLE qso_texts_filled (up_to {{bigint}} NOT NULL) {{strict}};

-- only on sqlite
INSERT INTO qso_texts_filled (up_to) SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM qso_texts_filled);

-- Three letters that no text has say whose contact it is, so that a search goes through one log.
-- only on sqlite
CREATE VIRTUAL TABLE IF NOT EXISTS qso_texts USING fts5 (call, name, qth, comment, gridsquare, owner,
  content = '', contentless_delete = 1, detail = none, tokenize = 'trigram');

-- Small pages, put together in small steps: whoever writes next waits for no more than one of them.
-- only on sqlite
INSERT INTO qso_texts (qso_texts, rank) VALUES ('pgsz', 1000), ('automerge', 8);

-- only on sqlite
CREATE TRIGGER IF NOT EXISTS qso_texts_back AFTER INSERT ON qsos
WHEN new.id <= (SELECT up_to FROM qso_texts_filled)
BEGIN INSERT INTO qso_texts (rowid, call, name, qth, comment, gridsquare, owner)
  VALUES (new.id, new.call, new.name, new.qth, new.comment, new.gridsquare, char(57344 + new.user_id / 40960000 % 6400,
          57344 + new.user_id / 6400 % 6400, 57344 + new.user_id % 6400)); END;

-- only on sqlite
CREATE TRIGGER IF NOT EXISTS qso_texts_gone AFTER DELETE ON qsos
WHEN old.id <= (SELECT up_to FROM qso_texts_filled)
BEGIN DELETE FROM qso_texts WHERE rowid = old.id; END;

-- only on sqlite
CREATE TRIGGER IF NOT EXISTS qso_texts_edited AFTER UPDATE OF call, name, qth, comment, gridsquare ON qsos
WHEN (old.call IS NOT new.call OR old.name IS NOT new.name OR old.qth IS NOT new.qth OR old.comment IS NOT new.comment
      OR old.gridsquare IS NOT new.gridsquare)
  AND old.id <= (SELECT up_to FROM qso_texts_filled)
BEGIN DELETE FROM qso_texts WHERE rowid = old.id; INSERT INTO qso_texts (rowid, call, name, qth, comment, gridsquare, owner)
  VALUES (new.id, new.call, new.name, new.qth, new.comment, new.gridsquare, char(57344 + new.user_id / 40960000 % 6400,
          57344 + new.user_id / 6400 % 6400, 57344 + new.user_id % 6400)); END;
