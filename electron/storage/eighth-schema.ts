/** Version 8: whose bundles were taken in, the watched folder, and the last backup. */
export const eighthSchema = `
-- Keys that signed bundles which were taken in: "fingerprint" is the SHA-256 of the public key, "name" as the bundle said it.
CREATE TABLE known_signer (
  fingerprint TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  first_seen TEXT NOT NULL
) STRICT;

-- The folder that is watched, whose draft its files go to, and how many files were in it when it was turned on. What was found up to the
-- number "cleared_up_to" is not listed any more.
CREATE TABLE watched_folder (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  path TEXT NOT NULL,
  workspace_id TEXT,
  is_on INTEGER NOT NULL DEFAULT 0,
  left_alone INTEGER NOT NULL DEFAULT 0,
  last_number INTEGER NOT NULL DEFAULT 0,
  cleared_up_to INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Every file of it that was seen, by its path inside the folder. "left-alone" was there before, and has the number 0; the others are numbered as
-- they were found. A file that is not of this size and time any more is a new one. "failure" is a failure as JSON, "scan_job" the job that looks at it now.
CREATE TABLE watched_file (
  path TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  changed_ms REAL NOT NULL,
  sha256 TEXT,
  state TEXT NOT NULL,
  hits INTEGER,
  scan_job INTEGER,
  failure TEXT,
  found TEXT NOT NULL,
  number INTEGER NOT NULL
) STRICT;
CREATE INDEX watched_file_by_number ON watched_file (number) WHERE number > 0;
CREATE INDEX watched_file_to_take ON watched_file (path) WHERE state IN ('waiting', 'hashing');
CREATE INDEX watched_file_by_scan ON watched_file (scan_job) WHERE scan_job IS NOT NULL;

-- What came into the draft of a workspace that way: it is not put there twice.
CREATE TABLE watched_content (
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sha256)
) STRICT, WITHOUT ROWID;

-- The last backup that came to its end.
CREATE TABLE last_backup (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  path TEXT NOT NULL,
  ended TEXT NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
`;
