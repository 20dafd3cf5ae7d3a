-- Version 6: the library as a list. What a row shows is in "sample" itself: a million rows are found and ordered
-- without reading other tables. "service_tags" and "normal_tag" are functions of migrations.ts. Only rows of which
-- anything is known are filled in, before there are indexes of what is written. A record that names a SHA-256 is about
-- that sample only; one without is about all samples with its MD5. A tag that is no TLP level says none, and a field
-- that is none is taken for the strictest.

ALTER TABLE sample ADD COLUMN name TEXT;
ALTER TABLE sample ADD COLUMN type TEXT;
-- Every tag of this desk and of services but the TLP, lower case, each between commas: ',a,b,'. A tag has no comma.
ALTER TABLE sample ADD COLUMN tags TEXT NOT NULL DEFAULT ',';
-- The strictest TLP that anybody says: 0 clear, 1 green, 2 amber, 3 amber+strict, 4 red.
ALTER TABLE sample ADD COLUMN tlp INTEGER;
ALTER TABLE sample ADD COLUMN threat TEXT;
-- Rules that hit it in any workspace, and comments of all workspaces.
ALTER TABLE sample ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sample ADD COLUMN comments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sample ADD COLUMN has_note INTEGER NOT NULL DEFAULT 0;
-- Of a sample that should be in the vault: 'missing', 'altered'.
ALTER TABLE sample ADD COLUMN damage TEXT;

-- A row is counted over all workspaces.
CREATE INDEX hit_sample_by_sha256 ON hit_sample (sha256);
CREATE INDEX comment_by_md5 ON comment (md5);
-- With the TLP: thousands of a draft may be equal, and whether one more says the same must not be looked for in each.
DROP INDEX upload_file_by_tlp;
DROP INDEX scan_file_by_tlp;
CREATE INDEX upload_file_by_tlp ON upload_file (sha256, tlp) WHERE tlp IS NOT NULL AND sha256 IS NOT NULL;
CREATE INDEX scan_file_by_tlp ON scan_file (sha256, tlp) WHERE tlp IS NOT NULL;

UPDATE sample SET
  name = (SELECT name FROM record
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256) AND name IS NOT NULL
      ORDER BY read_at DESC LIMIT 1),
  threat = (SELECT iif(json_valid(record.body), record.body, '{}') ->> '$.threat' FROM record
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)
      AND json_type(iif(json_valid(record.body), record.body, '{}'), '$.threat') = 'text'
      ORDER BY read_at DESC LIMIT 1),
  type = (SELECT iif(json_valid(record.body), record.body, '{}') ->> '$.mime' FROM record
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)
      AND json_type(iif(json_valid(record.body), record.body, '{}'), '$.mime') = 'text'
      ORDER BY read_at DESC LIMIT 1),
  tags = ifnull((SELECT ',' || group_concat(tag || ',', '') FROM (
    SELECT each.value AS tag
      FROM record, json_each(service_tags(iif(json_valid(record.body), record.body, '{}') -> '$.tags')) AS each
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)
    UNION SELECT tag FROM sample_tag WHERE sha256 = sample.sha256 ORDER BY tag)), ','),
  tlp = (SELECT max(level) FROM (
    SELECT CASE normal_tag(each.value) WHEN 'tlp:white' THEN 0 WHEN 'tlp:clear' THEN 0 WHEN 'tlp:green' THEN 1
      WHEN 'tlp:amber' THEN 2 WHEN 'tlp:amber+strict' THEN 3 WHEN 'tlp:red' THEN 4 END AS level
      FROM record, json_each(iif(json_valid(record.body), record.body, '{}'), '$.tags') AS each
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)
      AND record.body LIKE '%tlp:%' AND each.type = 'text'
    UNION ALL SELECT CASE tlp WHEN 'clear' THEN 0 WHEN 'green' THEN 1 WHEN 'amber' THEN 2 WHEN 'amber+strict' THEN 3
      ELSE 4 END FROM (
      SELECT tlp FROM upload_file WHERE sha256 = sample.sha256 AND tlp IS NOT NULL AND upload_file.sha256 IS NOT NULL
      UNION SELECT tlp FROM scan_file WHERE sha256 = sample.sha256 AND tlp IS NOT NULL)))
  WHERE EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5) OR sha256 IN (SELECT sha256 FROM sample_tag);
UPDATE sample SET tlp = (SELECT max(level) FROM (
    SELECT CASE normal_tag(each.value) WHEN 'tlp:white' THEN 0 WHEN 'tlp:clear' THEN 0 WHEN 'tlp:green' THEN 1
      WHEN 'tlp:amber' THEN 2 WHEN 'tlp:amber+strict' THEN 3 WHEN 'tlp:red' THEN 4 END AS level
      FROM record, json_each(iif(json_valid(record.body), record.body, '{}'), '$.tags') AS each
      WHERE record.md5 = sample.md5
      AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256)
      AND record.body LIKE '%tlp:%' AND each.type = 'text'
    UNION ALL SELECT CASE tlp WHEN 'clear' THEN 0 WHEN 'green' THEN 1 WHEN 'amber' THEN 2 WHEN 'amber+strict' THEN 3
      ELSE 4 END FROM (
      SELECT tlp FROM upload_file WHERE sha256 = sample.sha256 AND tlp IS NOT NULL AND upload_file.sha256 IS NOT NULL
      UNION SELECT tlp FROM scan_file WHERE sha256 = sample.sha256 AND tlp IS NOT NULL))) WHERE sha256 IN (
  SELECT sha256 FROM upload_file WHERE tlp IS NOT NULL AND sha256 IS NOT NULL
  UNION SELECT sha256 FROM scan_file WHERE tlp IS NOT NULL);
UPDATE sample SET hits = (SELECT count(DISTINCT rule) FROM hit_sample JOIN sample_hit
  ON sample_id = hit_sample.id JOIN hit_rule ON hit_rule.id = rule_id
  WHERE hit_sample.sha256 = sample.sha256) WHERE sha256 IN (SELECT sha256 FROM hit_sample);
UPDATE sample SET comments = (SELECT count(*) FROM comment WHERE comment.md5 = sample.md5)
  WHERE md5 IN (SELECT md5 FROM comment);

CREATE INDEX sample_by_last_seen ON sample (last_seen DESC, id DESC);
CREATE INDEX sample_by_first_seen ON sample (first_seen DESC, id DESC);
CREATE INDEX sample_by_size ON sample (size_bytes) WHERE size_bytes IS NOT NULL;
CREATE INDEX sample_by_tlp ON sample (tlp) WHERE tlp IS NOT NULL;
CREATE INDEX sample_by_hits ON sample (hits) WHERE hits > 0;
CREATE INDEX sample_by_comments ON sample (comments) WHERE comments > 0;
CREATE INDEX sample_with_note ON sample (id) WHERE has_note = 1;
CREATE INDEX sample_with_damage ON sample (damage, in_vault, size_bytes) WHERE damage IS NOT NULL;

-- What a person says of bytes on this desk, besides tags. They stay with the bytes, whatever row of the library these
-- have.
CREATE TABLE sample_own (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  note TEXT,
  note_changed TEXT,
  tlp TEXT
) STRICT;
-- The words of a note, under its id in sample_own.
CREATE VIRTUAL TABLE note_text USING fts5 (
  note, content = '', contentless_delete = 1, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 2'
);

-- How bytes look: made when somebody looks, from the vault.
CREATE TABLE sample_look (
  sha256 TEXT PRIMARY KEY,
  type TEXT,
  strip TEXT
) STRICT, WITHOUT ROWID;

-- "sort" and "columns" are JSON.
CREATE TABLE saved_view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place REAL NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT NOT NULL,
  columns TEXT
) STRICT;

-- Bytes that were forgotten and that the vault has not removed yet.
CREATE TABLE vault_drop (
  sha256 TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- The last check of the whole vault.
CREATE TABLE vault_check (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  ended TEXT NOT NULL,
  samples INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  altered INTEGER NOT NULL
) STRICT;
