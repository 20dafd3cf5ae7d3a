-- Version 19: a sample that gets another name has not been scanned under it by rules that ask for names. "names_left":
-- it has a name that the scan of its state did not know; older rows count as such, as nobody recorded the names.
-- "asks_name": whether hits of the rule depend on names; null: not known. The triggers run before the row is written:
-- known names are those of the other rows, and that of the row as it was; they are collected as "ScanFiles.namesOf"
-- does.

ALTER TABLE coverage_sample ADD COLUMN names_left INTEGER NOT NULL DEFAULT 1;
ALTER TABLE coverage_look ADD COLUMN asks_name INTEGER;

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
  )
  );
END;
