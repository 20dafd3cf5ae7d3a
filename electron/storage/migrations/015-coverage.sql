-- Version 15: which rules have scanned which samples, and results without a global rule.

-- A workspace that has coverage. Numbers of these tables are never given twice: a row that outlives what it names means
-- nothing, and nothing else.
CREATE TABLE coverage_space (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL UNIQUE
) STRICT;

-- A rule by its name, and each form of it that looked: "print" is its fingerprint, 16 bytes of a SHA-256; "engine" an
-- engine and its version.
CREATE TABLE coverage_rule (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  space INTEGER NOT NULL,
  rule TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX coverage_rule_by_name ON coverage_rule (space, rule);
CREATE TABLE coverage_look (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  rule_id INTEGER NOT NULL,
  print BLOB NOT NULL,
  engine TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX coverage_look_by_print ON coverage_look (rule_id, print, engine);

-- For each rule the look that the hits of a sample are from: one row for all samples of which that is equal. "body" is
-- written by coverage-state.ts, "digest" is 16 bytes of its SHA-256. "samples" counts the rows of coverage_sample.
CREATE TABLE coverage_state (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  space INTEGER NOT NULL,
  digest BLOB NOT NULL,
  bytes INTEGER NOT NULL,
  samples INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX coverage_state_by_digest ON coverage_state (space, digest);
CREATE TABLE coverage_body (
  state INTEGER PRIMARY KEY REFERENCES coverage_state (id) ON DELETE CASCADE,
  body BLOB NOT NULL
) STRICT;
CREATE TABLE coverage_sample (
  space INTEGER NOT NULL,
  sample_id INTEGER NOT NULL,
  state INTEGER NOT NULL,
  PRIMARY KEY (space, sample_id)
) STRICT, WITHOUT ROWID;

-- The number of a sample that was forgotten may be given to another one, and what a row is of may turn out to be
-- something else.
CREATE TRIGGER coverage_sample_gone AFTER DELETE ON coverage_sample BEGIN
  UPDATE coverage_state SET samples = samples - 1 WHERE id = old.state;
END;
CREATE TRIGGER coverage_of_sample_gone AFTER DELETE ON sample BEGIN
  DELETE FROM coverage_sample WHERE space IN (SELECT id FROM coverage_space) AND sample_id = old.id;
END;
CREATE TRIGGER coverage_of_sample_changed AFTER UPDATE OF sha256 ON sample WHEN new.sha256 IS NOT old.sha256 BEGIN
  DELETE FROM coverage_sample WHERE space IN (SELECT id FROM coverage_space) AND sample_id = old.id;
END;

-- Global rules that were left out when this was found, as JSON; null: none.
ALTER TABLE scan_result ADD COLUMN without_global TEXT;
