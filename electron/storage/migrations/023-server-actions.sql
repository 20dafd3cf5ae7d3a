-- Version 23: which actions the server of a workspace was seen to have ("answers" is 1) or to lack (0), and when, at
-- which address.

CREATE TABLE server_action (
  workspace_id TEXT NOT NULL,
  service TEXT NOT NULL,
  action TEXT NOT NULL,
  base_url TEXT NOT NULL,
  answers INTEGER NOT NULL,
  seen TEXT NOT NULL,
  PRIMARY KEY (workspace_id, service, action)
) STRICT, WITHOUT ROWID;
