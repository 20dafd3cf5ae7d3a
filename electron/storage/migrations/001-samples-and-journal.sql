-- Version 1. Times are UTC, ISO 8601 with milliseconds. STRICT tables: a column holds the type it says. Hashes are
-- lower-case hexadecimal text, so that a person can read the database with any SQLite tool.

CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE workspace (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE journal (
  number INTEGER PRIMARY KEY,
  time TEXT NOT NULL,
  workspace_id TEXT,
  operation TEXT NOT NULL,
  hash TEXT,
  outcome TEXT NOT NULL,
  detail TEXT NOT NULL,
  link BLOB NOT NULL,
  sealed_by TEXT,
  seal BLOB
) STRICT;
CREATE INDEX journal_by_hash ON journal (hash, number) WHERE hash IS NOT NULL;

CREATE TABLE journal_key (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE journal_end (
  key_id TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  link BLOB NOT NULL,
  mac BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a sample: by its SHA-256 where one is known, else by its MD5 alone. "verified" says that the hashes were
-- computed here from the bytes; else they are what a service claimed.
CREATE TABLE sample (
  id INTEGER PRIMARY KEY,
  md5 TEXT NOT NULL,
  sha1 TEXT,
  sha256 TEXT UNIQUE,
  size_bytes INTEGER,
  verified INTEGER NOT NULL DEFAULT 0,
  in_vault INTEGER NOT NULL DEFAULT 0,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL
) STRICT;
CREATE INDEX sample_by_md5 ON sample (md5);
CREATE INDEX sample_by_sha1 ON sample (sha1) WHERE sha1 IS NOT NULL;
CREATE UNIQUE INDEX sample_by_md5_alone ON sample (md5) WHERE sha256 IS NULL;

-- The latest record each workspace gave of an MD5, whole, so that it can be shown without the service.
CREATE TABLE record (
  workspace_id TEXT NOT NULL,
  md5 TEXT NOT NULL,
  sha256 TEXT,
  name TEXT,
  read_at TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (workspace_id, md5)
) STRICT;
CREATE INDEX record_by_md5 ON record (md5, read_at);

-- Counted as it changes: a status bar asks often, and a library may hold a million samples.
CREATE TABLE library_total (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  samples INTEGER NOT NULL,
  in_vault INTEGER NOT NULL,
  vault_bytes INTEGER NOT NULL
) STRICT;
INSERT INTO library_total VALUES (1, 0, 0, 0);
CREATE TRIGGER sample_added AFTER INSERT ON sample BEGIN
  UPDATE library_total SET samples = samples + 1, in_vault = in_vault + new.in_vault,
    vault_bytes = vault_bytes + new.in_vault * ifnull(new.size_bytes, 0);
END;
CREATE TRIGGER sample_changed AFTER UPDATE OF in_vault, size_bytes ON sample BEGIN
  UPDATE library_total SET in_vault = in_vault + new.in_vault - old.in_vault,
    vault_bytes = vault_bytes + new.in_vault * ifnull(new.size_bytes, 0) - old.in_vault * ifnull(old.size_bytes, 0);
END;
CREATE TRIGGER sample_gone AFTER DELETE ON sample BEGIN
  UPDATE library_total SET samples = samples - 1, in_vault = in_vault - old.in_vault,
    vault_bytes = vault_bytes - old.in_vault * ifnull(old.size_bytes, 0);
  DELETE FROM sample_text WHERE rowid = old.id;
END;

-- The words of a sample, under its id. Contentless: the text itself is in "record". The prefix indexes make the
-- first letters of a hash or a name as quick as a whole word.
CREATE VIRTUAL TABLE sample_text USING fts5 (
  name, hashes, tags, comments, threat,
  content = '', contentless_delete = 1, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 2'
);
