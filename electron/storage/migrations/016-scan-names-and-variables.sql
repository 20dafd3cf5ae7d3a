-- Version 16: the other names and paths under which a file of a scan was given, as JSON; how many names of a file a
-- scan left out; the variables of the workspace the rules of a package were compiled with, as JSON (null: none); and an
-- index for the names of a sample.

ALTER TABLE scan_file ADD COLUMN also TEXT;
ALTER TABLE scan_result ADD COLUMN names_left_out INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rule_package ADD COLUMN variables TEXT;
CREATE INDEX scan_file_by_sha256 ON scan_file (sha256);
CREATE INDEX upload_file_by_sha256 ON upload_file (sha256) WHERE sha256 IS NOT NULL;
