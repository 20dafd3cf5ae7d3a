-- Version 2: jobs with their items, and where a small sample lies in the packs of the vault.

-- "task", "throughput", "notices" and "failure" are JSON as the job domain has them. AUTOINCREMENT: a number that a
-- person has seen is never given to another job. A hidden job is being removed: its items go a few at a time.
CREATE TABLE job (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task TEXT NOT NULL,
  workspace_id TEXT,
  state TEXT NOT NULL,
  hidden INTEGER NOT NULL DEFAULT 0,
  created TEXT NOT NULL,
  started TEXT,
  ended TEXT,
  bytes INTEGER NOT NULL DEFAULT 0,
  expected_bytes INTEGER,
  throughput TEXT NOT NULL,
  failure TEXT,
  notices TEXT NOT NULL,
  notice_count INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX job_by_state ON job (hidden, state);

-- "rank" is the place of the state in the order of the job domain: what went wrong comes first.
CREATE TABLE job_item (
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  hash TEXT NOT NULL,
  md5 TEXT,
  sha256 TEXT,
  state TEXT NOT NULL,
  rank INTEGER NOT NULL,
  size_bytes INTEGER,
  failure TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX job_item_by_hash ON job_item (job_id, hash);
CREATE INDEX job_item_by_state ON job_item (job_id, rank, position);

-- Counted as they change: a job of a hundred thousand items is reported ten times a second. Code that adds items counts
-- them here too: thousands come at once, and a trigger for each would double the time.
CREATE TABLE job_count (
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  items INTEGER NOT NULL,
  PRIMARY KEY (job_id, state)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER job_item_changed AFTER UPDATE OF state ON job_item WHEN old.state <> new.state BEGIN
  UPDATE job_count SET items = items - 1 WHERE job_id = old.job_id AND state = old.state;
  INSERT INTO job_count VALUES (new.job_id, new.state, 1) ON CONFLICT DO UPDATE SET items = items + 1;
END;

-- A sample in a pack: "vault/packs/<pack>" holds its container from "at" on, "length" bytes of it.
CREATE TABLE pack_place (
  sha256 TEXT PRIMARY KEY,
  pack TEXT NOT NULL,
  at INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX pack_place_by_pack ON pack_place (pack, at);
