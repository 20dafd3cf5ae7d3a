-- Version 21: local files that were added to the vault. "sample_name": every name under which the same bytes were
-- added, as it was given, with the folders and archives above them. "added_file": the files of a job. "rank" orders
-- them, members below their archive: six digits and a point for each level. "archive" and "remarks" are JSON. The
-- triggers of version 19 are made again, so that names of "sample_name" count too.

CREATE TABLE sample_name (
  sha256 TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  added TEXT NOT NULL,
  PRIMARY KEY (sha256, name, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX sample_name_by_time ON sample_name (sha256, added);

CREATE TABLE added_file (
  job_id INTEGER NOT NULL,
  rank TEXT NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  staged_id TEXT,
  place TEXT,
  size_bytes INTEGER NOT NULL,
  md5 TEXT,
  sha1 TEXT,
  sha256 TEXT,
  mime TEXT,
  state TEXT NOT NULL,
  failure TEXT,
  archive TEXT,
  remarks TEXT NOT NULL,
  PRIMARY KEY (job_id, rank)
) STRICT, WITHOUT ROWID;
CREATE INDEX added_file_by_state ON added_file (job_id, state, rank);
CREATE INDEX added_file_staged ON added_file (staged_id) WHERE staged_id IS NOT NULL;

DROP TRIGGER coverage_of_record_added;
DROP TRIGGER coverage_of_record_changed;
DROP TRIGGER coverage_of_upload_file_added;
DROP TRIGGER coverage_of_upload_file_changed;
DROP TRIGGER coverage_of_scan_file_added;
DROP TRIGGER coverage_of_scan_file_changed;

CREATE TRIGGER coverage_of_record_added BEFORE INSERT ON record WHEN new.name IS NOT NULL BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE md5 = new.md5 AND (new.sha256 IS NULL OR sha256 = new.sha256)) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;
CREATE TRIGGER coverage_of_record_changed BEFORE UPDATE OF name, md5, sha256 ON record WHEN new.name IS NOT NULL
  AND (new.name IS NOT old.name OR new.md5 IS NOT old.md5 OR new.sha256 IS NOT old.sha256) BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE md5 = new.md5 AND (new.sha256 IS NULL OR sha256 = new.sha256)) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;

CREATE TRIGGER coverage_of_upload_file_added BEFORE INSERT ON upload_file WHEN new.name IS NOT NULL BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;
CREATE TRIGGER coverage_of_upload_file_changed BEFORE UPDATE OF name, sha256 ON upload_file WHEN new.name IS NOT NULL
  AND (new.name IS NOT old.name OR new.sha256 IS NOT old.sha256) BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;

CREATE TRIGGER coverage_of_scan_file_added BEFORE INSERT ON scan_file WHEN new.name IS NOT NULL BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND EXISTS (
    SELECT 1 FROM (SELECT new.name AS name UNION SELECT value ->> '$.name'
      FROM json_each(iif(json_valid(new.also), new.also, '[]'))) AS given WHERE NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = given.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = given.name
  )
  );
END;
CREATE TRIGGER coverage_of_scan_file_changed BEFORE UPDATE OF name, sha256, also ON scan_file WHEN new.name IS NOT NULL
  AND (new.name IS NOT old.name OR new.sha256 IS NOT old.sha256 OR new.also IS NOT old.also) BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND EXISTS (
    SELECT 1 FROM (SELECT new.name AS name UNION SELECT value ->> '$.name'
      FROM json_each(iif(json_valid(new.also), new.also, '[]'))) AS given WHERE NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = given.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = given.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = given.name
  )
  );
END;

CREATE TRIGGER coverage_of_sample_name_added BEFORE INSERT ON sample_name WHEN new.name IS NOT NULL BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;
CREATE TRIGGER coverage_of_sample_name_changed BEFORE UPDATE OF name, sha256 ON sample_name WHEN new.name IS NOT NULL
  AND (new.name IS NOT old.name OR new.sha256 IS NOT old.sha256) BEGIN
  UPDATE coverage_sample SET names_left = 1 WHERE space IN (SELECT id FROM coverage_space)
    AND sample_id IN (SELECT id FROM sample WHERE sha256 = new.sha256) AND names_left = 0 AND NOT EXISTS (
    SELECT 1 FROM sample JOIN record ON record.md5 = sample.md5
      AND (record.sha256 IS NULL OR record.sha256 = sample.sha256) WHERE sample.id = sample_id AND record.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN upload_file ON upload_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND upload_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND scan_file.name = new.name
    UNION ALL SELECT 1 FROM sample JOIN scan_file ON scan_file.sha256 = sample.sha256, json_each(scan_file.also)
      WHERE sample.id = sample_id AND json_valid(scan_file.also) AND json_each.value ->> '$.name' = new.name
    UNION ALL SELECT 1 FROM sample JOIN sample_name ON sample_name.sha256 = sample.sha256 WHERE sample.id = sample_id
      AND sample_name.name = new.name
  );
END;
