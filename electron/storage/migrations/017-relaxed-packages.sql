-- Version 17: whether the rules of a package were compiled with regular expressions as YARA 4 takes them. Until now all
-- were compiled strictly.

ALTER TABLE rule_package ADD COLUMN relaxed INTEGER NOT NULL DEFAULT 0;
