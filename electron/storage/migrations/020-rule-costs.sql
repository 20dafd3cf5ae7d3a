-- Version 20: what rules cost, by what they do. A cost belongs to no package and no workspace: a rule that changed has
-- another fingerprint.

CREATE TABLE rule_cost (
  -- The fingerprint of decision 30, 16 bytes.
  print BLOB NOT NULL CHECK (length(print) = 16),
  engine TEXT NOT NULL CHECK (engine IN ('native', 'wasm')),
  ms_per_megabyte REAL NOT NULL CHECK (ms_per_megabyte >= 0),
  -- Rules that were measured together; 1 is this one alone.
  together INTEGER NOT NULL CHECK (together >= 1),
  samples INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  -- UTC, ISO 8601.
  measured TEXT NOT NULL,
  PRIMARY KEY (print, engine)
) STRICT, WITHOUT ROWID;
CREATE INDEX rule_cost_by_time ON rule_cost (measured);
