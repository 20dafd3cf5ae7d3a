-- Version 27: when the rules of its state scanned a sample last, in seconds since 1970; null: by an older version.

ALTER TABLE coverage_sample ADD COLUMN scanned INTEGER;
