-- Version 14: the names of the files a rule package came from.

ALTER TABLE rule_package ADD COLUMN file_name TEXT;
