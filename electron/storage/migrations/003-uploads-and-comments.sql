-- Version 3: files that are uploaded, comments as rows of their own, the known tags, and two more outcomes of items.
-- Tags are counted as "normalTag" and "tag" of the tag domain have it, as far as SQL can say it: what passes wrongly is
-- left out when it is read. "sort_time" is as "sortTimeOf" of comment-thread.ts has it: a time with a zone in UTC, one
-- without as it is.

ALTER TABLE job_item ADD COLUMN name TEXT;
-- "refused" and "vanished" came into the order of the states behind "failed", which is 2.
UPDATE job_item SET rank = rank + 2 WHERE rank > 2;

-- A file of the draft of its workspace, or, with a "job_id", of an upload. By "group_id" members are listed below their
-- archive. "place", "tags" and the failures are JSON. "looked": its content was looked at, or need not be. "may_sent":
-- a
-- whole body with it may have left. "traits" are bits, as `uploadTraits` has them: what the totals of a draft are
-- made of.
CREATE TABLE upload_file (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  job_id INTEGER,
  parent_id INTEGER,
  group_id INTEGER NOT NULL GENERATED ALWAYS AS (ifnull(parent_id, id)) VIRTUAL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  staged_id TEXT,
  place TEXT,
  size_bytes INTEGER NOT NULL,
  md5 TEXT,
  sha1 TEXT,
  sha256 TEXT,
  mime TEXT,
  strip TEXT,
  state TEXT NOT NULL,
  same_as INTEGER,
  failure TEXT,
  archive_state TEXT,
  archive_members INTEGER NOT NULL DEFAULT 0,
  archive_failure TEXT,
  is_ticked INTEGER NOT NULL,
  tags TEXT NOT NULL,
  tlp TEXT,
  virus_total INTEGER NOT NULL DEFAULT 0,
  sandbox INTEGER NOT NULL DEFAULT 0,
  presence TEXT NOT NULL DEFAULT 'unasked',
  presence_failure TEXT,
  looked INTEGER NOT NULL DEFAULT 0,
  may_sent INTEGER NOT NULL DEFAULT 0,
  traits INTEGER NOT NULL GENERATED ALWAYS AS (
    is_ticked
    | (is_ticked = 1 AND state = 'ready' AND presence <> 'there') * (2 | virus_total * 64 | sandbox * 128 |
      ifnull(tlp IN ('amber', 'amber+strict', 'red'), 0) * 256)
    | (state = 'ready' AND presence = 'there') * 4
    | (is_ticked = 1 AND (state = 'hashing' OR state = 'ready'
      AND (ifnull(archive_state = 'opening', 0) OR looked = 0 AND parent_id IS NULL))) * 8
    | (state = 'ready' AND presence = 'unasked') * 16
    | (state = 'ready' AND presence = 'unanswered') * 32
  ) VIRTUAL
) STRICT;
-- The order of a draft, with all that its totals are made of: they are read from here alone.
CREATE INDEX upload_file_by_place ON upload_file (workspace_id, group_id, id, traits, size_bytes) WHERE job_id IS NULL;
CREATE INDEX upload_file_by_hash ON upload_file (workspace_id, md5, sha256, id) WHERE job_id IS NULL
  AND state IN ('ready', 'same');
CREATE INDEX upload_file_by_job ON upload_file (job_id, sha256) WHERE job_id IS NOT NULL;
CREATE INDEX upload_file_by_parent ON upload_file (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX upload_file_to_hash ON upload_file (id) WHERE job_id IS NULL AND state = 'hashing';
CREATE INDEX upload_file_to_look ON upload_file (id) WHERE job_id IS NULL AND looked = 0 AND state IN ('ready', 'same');
CREATE INDEX upload_file_to_open ON upload_file (id) WHERE job_id IS NULL AND archive_state = 'opening';
CREATE INDEX upload_file_to_ask ON upload_file (workspace_id, id) WHERE job_id IS NULL AND state = 'ready'
  AND presence = 'unasked';
CREATE INDEX upload_file_unanswered ON upload_file (workspace_id, id) WHERE job_id IS NULL AND presence = 'unanswered';

CREATE TABLE upload_draft (
  workspace_id TEXT PRIMARY KEY,
  comment TEXT NOT NULL,
  saved TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE upload_job (
  job_id INTEGER PRIMARY KEY,
  comment TEXT NOT NULL
) STRICT;

-- How many records carry a tag, and how often a person gave it. "value" is what follows the first colon.
CREATE TABLE known_tag (
  tag TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  uses INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX known_tag_by_value ON known_tag (value) WHERE value <> '';
CREATE INDEX known_tag_by_use ON known_tag (uses DESC, tag);

-- "tags" are those counted in "known_tag"; "comments_mark" tells whether the comments of the next record are others.
ALTER TABLE record ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE record ADD COLUMN lists_comments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE record ADD COLUMN comments_mark TEXT;
UPDATE record SET tags = (
  SELECT json_group_array(tag) FROM (
    SELECT DISTINCT lower(trim(value)) AS tag FROM json_each(iif(json_valid(record.body), record.body, '{}'), '$.tags')
    WHERE type = 'text' AND length(trim(value)) BETWEEN 1 AND 100 AND instr(value, ',') = 0
      AND lower(trim(value)) NOT LIKE 'tlp:%' LIMIT 200)) WHERE instr(body, '"tags":[]') = 0;
INSERT INTO known_tag SELECT value, CASE instr(value, ':') WHEN 0 THEN ''
  ELSE substr(value, instr(value, ':') + 1) END, count(*)
  FROM record, json_each(record.tags) GROUP BY value;

-- What this desk wrote. "known_ids": JSON, the comments the service listed when it was begun.
CREATE TABLE own_comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  md5 TEXT NOT NULL,
  parent_id TEXT,
  content TEXT NOT NULL,
  state TEXT NOT NULL,
  remote_id TEXT,
  created TEXT NOT NULL,
  known_ids TEXT NOT NULL,
  failure TEXT
) STRICT;
CREATE INDEX own_comment_by_sample ON own_comment (workspace_id, md5, id);
CREATE INDEX own_comment_pending ON own_comment (id) WHERE state = 'pending';

CREATE TABLE comment_draft (
  workspace_id TEXT NOT NULL,
  md5 TEXT NOT NULL,
  text TEXT NOT NULL,
  parent_id TEXT,
  PRIMARY KEY (workspace_id, md5)
) STRICT, WITHOUT ROWID;

-- Every comment that is shown, once: those of the latest record each workspace gave of an MD5, by "place" in it, and
-- those of this desk that are in none, without a place. "own_id" is the desk's own that it is.
CREATE TABLE comment (
  number INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  md5 TEXT NOT NULL,
  place INTEGER,
  id TEXT NOT NULL,
  parent_id TEXT,
  author TEXT,
  content TEXT NOT NULL,
  created TEXT,
  sort_time TEXT NOT NULL,
  own_id INTEGER
) STRICT;
CREATE INDEX comment_by_sample ON comment (workspace_id, md5, place);
CREATE INDEX comment_by_time ON comment (workspace_id, sort_time DESC, number DESC);

-- The words of a comment, under its number: put in by whoever adds the comment, since a trigger would have SQLite write
-- each to the disk by itself.
CREATE VIRTUAL TABLE comment_text USING fts5 (
  content, author,
  content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER comment_gone AFTER DELETE ON comment BEGIN
  DELETE FROM comment_text WHERE rowid = old.number;
END;

INSERT INTO comment (workspace_id, md5, place, id, parent_id, author, content, created, sort_time)
  SELECT workspace_id, md5, place, id, parent_id, author, content, created, ifnull(
  CASE
    WHEN created GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][T ][0-9][0-9]:[0-9][0-9]:[0-9][0-9]*'
    THEN strftime('%Y-%m-%dT%H:%M:%fZ', created)
  END, read_at) FROM (
    SELECT record.workspace_id, record.md5, record.read_at, each.key AS place, each.value ->> '$.id' AS id,
      each.value ->> '$.parentId' AS parent_id,
      each.value ->> '$.author' AS author, each.value ->> '$.content' AS content, each.value ->> '$.created' AS created
    FROM record, json_each(iif(json_valid(record.body), record.body, '{}'), '$.comments') AS each
    WHERE each.type = 'object' AND typeof(each.key) = 'integer')
  WHERE typeof(id) = 'text' AND typeof(content) = 'text';
INSERT INTO comment_text (rowid, content, author) SELECT number, substr(content, 1, 20000), substr(author, 1, 200)
  FROM comment;
