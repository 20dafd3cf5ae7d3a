-- Version 11: where the token of a workspace was in a package.

-- As JSON (`TokenPlaces`). Apart from the package: hardly any has one, and only who reads its rules asks.
CREATE TABLE rule_package_token (
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  places TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sha256),
  FOREIGN KEY (workspace_id, sha256) REFERENCES rule_package ON DELETE CASCADE
) STRICT;
