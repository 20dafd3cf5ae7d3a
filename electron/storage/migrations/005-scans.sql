-- Version 5: results of scans and hunts, local tags, and the order of the vault.

-- A file of a scan, under the position of its item. "place" is JSON. A hunt has none: its items are samples of the
-- vault.
CREATE TABLE scan_file (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  name TEXT,
  md5 TEXT NOT NULL,
  sha1 TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  staged_id TEXT,
  place TEXT,
  tlp TEXT,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX scan_file_staged ON scan_file (job_id, position) WHERE staged_id IS NOT NULL;
CREATE INDEX scan_file_by_staged ON scan_file (staged_id) WHERE staged_id IS NOT NULL;
CREATE INDEX scan_file_by_tlp ON scan_file (sha256) WHERE tlp IS NOT NULL;

-- A rule that hit something in a job. "tags", "meta" and "place" are JSON. "has_facts": the package said so, and not a
-- service.
CREATE TABLE scan_rule (
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL,
  rule TEXT NOT NULL,
  tags TEXT NOT NULL,
  family TEXT,
  meta TEXT NOT NULL,
  place TEXT,
  has_facts INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX scan_rule_by_name ON scan_rule (job_id, rule);

-- What one side said of a file, without what it found. "package" and "failure" are JSON.
CREATE TABLE scan_result (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  side TEXT NOT NULL,
  state TEXT NOT NULL,
  engine TEXT,
  package TEXT,
  elapsed_ms INTEGER NOT NULL,
  is_cut INTEGER NOT NULL,
  failure TEXT,
  PRIMARY KEY (job_id, position, side)
) STRICT, WITHOUT ROWID;

-- The hits of a result with their strings, as JSON, and the reply of a service as it came, deflated (RFC 1951), because
-- it may hold what rules look for: apart, so that no list reads them.
CREATE TABLE scan_body (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  side TEXT NOT NULL,
  hits TEXT NOT NULL,
  PRIMARY KEY (job_id, position, side)
) STRICT;
CREATE TABLE scan_raw (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  side TEXT NOT NULL,
  reply BLOB NOT NULL,
  PRIMARY KEY (job_id, position, side)
) STRICT;

-- A rule in a file: how often each side found it, null where it did not. "change" is of hunts: 1 was not there before,
-- -1 is there no more, and then neither side found it.
CREATE TABLE scan_hit (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  rule_id INTEGER NOT NULL,
  local INTEGER,
  service INTEGER,
  change INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (job_id, position, rule_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX scan_hit_by_rule ON scan_hit (rule_id, position, change, local, service);

-- The sums of a file, mutes left out of account: what a list of files is made of. The states are those of the results.
CREATE TABLE scan_total (
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  local TEXT,
  service TEXT,
  hits INTEGER NOT NULL,
  matches INTEGER NOT NULL,
  added INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  one_sided INTEGER NOT NULL,
  PRIMARY KEY (job_id, position)
) STRICT, WITHOUT ROWID;

-- Rule hits of a sample from the last scan, even if the job was removed. Samples and rules by numbers: a hunt through
-- thousands of samples then writes row behind row, and not all over the file. For the same reason there is no index by
-- rule: who wants that goes through the samples.
CREATE TABLE hit_sample (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX hit_sample_by_hash ON hit_sample (workspace_id, sha256);
CREATE TABLE hit_rule (
  id INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  rule TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX hit_rule_by_name ON hit_rule (workspace_id, rule);
CREATE TABLE sample_hit (
  sample_id INTEGER NOT NULL,
  side TEXT NOT NULL,
  rule_id INTEGER NOT NULL,
  version TEXT,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  matches INTEGER NOT NULL,
  job_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (sample_id, side, rule_id)
) STRICT, WITHOUT ROWID;

-- The last hunt through the vault, and how long an engine takes.
CREATE TABLE last_hunt (
  workspace_id TEXT PRIMARY KEY,
  job_id INTEGER NOT NULL,
  ended TEXT NOT NULL,
  sha256 TEXT,
  version TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE scan_pace (
  engine TEXT PRIMARY KEY,
  scan_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;

-- The options of a hunt, as JSON: it continues with them after a restart.
CREATE TABLE hunt_input (
  job_id INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  body TEXT NOT NULL
) STRICT;

-- Local tags. They stay with the bytes, whatever row of the library these have.
CREATE TABLE sample_tag (
  sha256 TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (sha256, tag)
) STRICT, WITHOUT ROWID;

CREATE INDEX sample_in_vault ON sample (id) WHERE in_vault = 1;
CREATE INDEX sample_in_vault_by_time ON sample (last_seen DESC, id DESC) WHERE in_vault = 1;
CREATE INDEX upload_file_by_tlp ON upload_file (sha256) WHERE tlp IS NOT NULL AND sha256 IS NOT NULL;
