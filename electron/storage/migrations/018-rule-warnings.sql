-- Version 18: what the engine warns of in the rules of a package. A package without a row was compiled before warnings
-- were kept.

-- The first of them, as JSON. Apart from the package: the list is long, and seldom read.
CREATE TABLE rule_package_warning (
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  warnings TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sha256),
  FOREIGN KEY (workspace_id, sha256) REFERENCES rule_package ON DELETE CASCADE
) STRICT;
