-- Version 8: uploads that came by themselves, signers of imported bundles, the watched folder, and the last backup.

-- A file of an upload that came by itself, by the watched folder, is so for ever. "is_held": the person does not mean
-- it, so that nobody is asked about it.
ALTER TABLE upload_file ADD COLUMN came_by_itself INTEGER NOT NULL DEFAULT 0;
ALTER TABLE upload_file ADD COLUMN is_held INTEGER NOT NULL GENERATED ALWAYS AS (came_by_itself = 1
  AND is_ticked = 0) VIRTUAL;
-- "traits" as they were, but that one that is held says so, and does not wait for an answer.
DROP INDEX upload_file_by_place;
ALTER TABLE upload_file DROP COLUMN traits;
ALTER TABLE upload_file ADD COLUMN traits INTEGER NOT NULL GENERATED ALWAYS AS (
  is_ticked
  | (is_ticked = 1 AND state = 'ready' AND presence <> 'there') * (2 | virus_total * 64 | sandbox * 128 |
    ifnull(tlp IN ('amber', 'amber+strict', 'red'), 0) * 256)
  | (state = 'ready' AND presence = 'there') * 4
  | (is_ticked = 1 AND (state = 'hashing' OR state = 'ready' AND (ifnull(archive_state = 'opening', 0) OR looked = 0
    AND parent_id IS NULL))) * 8
  | (state = 'ready' AND presence = 'unasked' AND is_held = 0) * 16
  | (state = 'ready' AND presence = 'unanswered' AND is_held = 0) * 32
  | is_held * 512
) VIRTUAL;
CREATE INDEX upload_file_by_place ON upload_file (workspace_id, group_id, id, traits, size_bytes) WHERE job_id IS NULL;
DROP INDEX upload_file_to_ask;
CREATE INDEX upload_file_to_ask ON upload_file (workspace_id, id) WHERE job_id IS NULL AND state = 'ready'
  AND presence = 'unasked' AND is_held = 0;
-- Of equal files the first stands for the others: what a person handed over before what came by itself.
DROP INDEX upload_file_by_hash;
CREATE INDEX upload_file_by_hash ON upload_file (workspace_id, md5, sha256, came_by_itself, id) WHERE job_id IS NULL
  AND state IN ('ready', 'same');
-- What came by itself and could not be read: it is looked for again as often as its folder.
CREATE INDEX upload_file_lost ON upload_file (id) WHERE job_id IS NULL AND came_by_itself = 1 AND state = 'unreadable';

-- Keys that signed bundles which were taken in: "fingerprint" is the SHA-256 of the public key, "name" as the bundle
-- said it.
CREATE TABLE known_signer (
  fingerprint TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  first_seen TEXT NOT NULL
) STRICT;

-- The folder that is watched, whose draft its files go to, and how many files were in it when it was turned on. What
-- was found up to the number "cleared_up_to" is not listed any more.
CREATE TABLE watched_folder (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  path TEXT NOT NULL,
  workspace_id TEXT,
  is_on INTEGER NOT NULL DEFAULT 0,
  left_alone INTEGER NOT NULL DEFAULT 0,
  last_number INTEGER NOT NULL DEFAULT 0,
  cleared_up_to INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Every file of it that was seen, by its path inside the folder. "left-alone" was there before, and has the number 0;
-- the others are numbered as they were found. A file that is not of this size and time any more is a new one. "failure"
-- is a failure as JSON, "scan_job" the job that looks at it now.
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
CREATE INDEX watched_file_by_content ON watched_file (sha256) WHERE sha256 IS NOT NULL;
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
