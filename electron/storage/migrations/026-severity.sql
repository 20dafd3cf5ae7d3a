-- Version 26: the worst severity that any workspace's record states: 0 other, 1 unwanted, 2 bad.

ALTER TABLE sample ADD COLUMN severity INTEGER;

UPDATE sample SET severity = (
  SELECT max(CASE iif(json_valid(record.body), record.body, '{}') ->> '$.criticity'
    WHEN 'bad' THEN 2 WHEN 'unwanted' THEN 1 WHEN 'other' THEN 0 END)
    FROM record WHERE record.md5 = sample.md5
    AND (sample.sha256 IS NULL OR record.sha256 IS NULL OR record.sha256 = sample.sha256))
  WHERE EXISTS (SELECT 1 FROM record WHERE record.md5 = sample.md5);

CREATE INDEX sample_by_severity ON sample (severity) WHERE severity IS NOT NULL;
