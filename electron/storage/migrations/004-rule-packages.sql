-- Version 4: rule packages, what each workspace does about them, and muted rules.

-- A package of rules whose bytes lie inert in the vault. "contents", "failure" and "warnings" are JSON as the
-- publication domain has them. "activated": when it was made the active one last; "active_ms": how long it was that
-- before.
CREATE TABLE rule_package (
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  remote_id TEXT,
  version TEXT NOT NULL,
  publication_group TEXT,
  published TEXT,
  source TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  received TEXT NOT NULL,
  contents TEXT,
  failure TEXT,
  warnings TEXT NOT NULL,
  activated TEXT,
  active_ms INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, sha256)
) STRICT;
CREATE INDEX rule_package_by_time ON rule_package (workspace_id, received);

-- The first of its broken rules, as JSON. Apart from the package: the list is long, and seldom read.
CREATE TABLE rule_package_broken (
  workspace_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  rules TEXT NOT NULL,
  PRIMARY KEY (workspace_id, sha256),
  FOREIGN KEY (workspace_id, sha256) REFERENCES rule_package ON DELETE CASCADE
) STRICT;

-- "options" and "last_check" are JSON; the others name packages.
CREATE TABLE rule_state (
  workspace_id TEXT PRIMARY KEY,
  options TEXT,
  active TEXT,
  candidate TEXT,
  pinned TEXT,
  last_check TEXT
) STRICT;

-- AUTOINCREMENT: a number that a person has seen is never given to another mute. "print": of the rule's text when it
-- was muted.
CREATE TABLE mute (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  rule TEXT NOT NULL,
  sample TEXT,
  reason TEXT NOT NULL,
  expires TEXT,
  created TEXT NOT NULL,
  print TEXT
) STRICT;
CREATE UNIQUE INDEX mute_by_rule ON mute (workspace_id, rule, ifnull(sample, ''));
CREATE INDEX mute_by_workspace ON mute (workspace_id);
