/** Version 8: whose bundles were taken in, the watched folder, and the last backup. */
export const eighthSchema = `
-- Keys that signed bundles which were taken in: "fingerprint" is the SHA-256 of the public key, "name" as the bundle said it.
CREATE TABLE known_signer (
  fingerprint TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  first_seen TEXT NOT NULL
) STRICT;

-- The folder that is watched, whose draft its files go to, and how many files were in it when it was turned on.
CREATE TABLE watched_folder (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  path TEXT NOT NULL,
  workspace_id TEXT,
  is_on INTEGER NOT NULL,
  left_alone INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Every file of it that was seen, by its path inside the folder. "left-alone" was there before; a file that is not of this size and time any
-- more is a new one. "failure" is a failure as JSON, "upload_file" the file of the draft.
CREATE TABLE watched_file (
  path TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  changed_ms REAL NOT NULL,
  sha256 TEXT,
  state TEXT NOT NULL,
  hits INTEGER,
  upload_file INTEGER,
  failure TEXT,
  found TEXT NOT NULL,
  is_shown INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX watched_file_by_found ON watched_file (found);
CREATE INDEX watched_file_by_sha256 ON watched_file (sha256);

-- The last backup that came to its end.
CREATE TABLE last_backup (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  path TEXT NOT NULL,
  ended TEXT NOT NULL,
  files INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) STRICT;
`;
