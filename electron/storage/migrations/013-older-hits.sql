-- Version 13: hits that a later scan or hunt did not find again stay known.

-- A row is here or in sample_hit, never in both. "version" is of the package that found it last.
CREATE TABLE older_hit (
  sample_id INTEGER NOT NULL,
  side TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  version TEXT,
  last_seen TEXT NOT NULL,
  PRIMARY KEY (sample_id, side, rule_id)
) STRICT, WITHOUT ROWID;
