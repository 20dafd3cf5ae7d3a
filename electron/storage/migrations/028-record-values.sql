-- Version 28: what records state of samples, so that it can be searched for. A value is stored once, however many
-- samples have it; it goes with the last of them.

CREATE TABLE known_value (
  id INTEGER PRIMARY KEY,
  field TEXT NOT NULL,
  value TEXT NOT NULL,
  UNIQUE (field, value)
) STRICT;

CREATE TABLE sample_value (
  value_id INTEGER NOT NULL,
  sample_id INTEGER NOT NULL,
  PRIMARY KEY (value_id, sample_id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO known_value (field, value)
  SELECT each.value ->> 0, each.value ->> 1 FROM record, json_each(record_values(record.body)) AS each;

INSERT OR IGNORE INTO sample_value (value_id, sample_id)
  SELECT known_value.id, sample.id FROM record
    CROSS JOIN json_each(record_values(record.body)) AS each
    CROSS JOIN known_value ON known_value.field = each.value ->> 0 AND known_value.value = each.value ->> 1
    CROSS JOIN sample ON sample.md5 = record.md5
  WHERE sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256;

-- Of records that no sample has.
DELETE FROM known_value WHERE NOT EXISTS (SELECT 1 FROM sample_value WHERE value_id = known_value.id);

CREATE INDEX sample_value_by_sample ON sample_value (sample_id);

CREATE TRIGGER sample_value_of_sample AFTER DELETE ON sample BEGIN
  DELETE FROM sample_value WHERE sample_id = old.id;
END;

CREATE TRIGGER known_value_of_none AFTER DELETE ON sample_value
  WHEN NOT EXISTS (SELECT 1 FROM sample_value WHERE value_id = old.value_id)
BEGIN
  DELETE FROM known_value WHERE id = old.value_id;
END;
