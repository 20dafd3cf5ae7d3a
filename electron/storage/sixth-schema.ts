/** Version 6: the library as a list. What a row shows stands in `sample` itself: a million rows are found and ordered without looking elsewhere. */
export const sixthSchema = `
ALTER TABLE sample ADD COLUMN name TEXT;
ALTER TABLE sample ADD COLUMN type TEXT;
-- Every tag of this desk and of services but the TLP, lower case, each between commas: ',a,b,'. A tag has no comma.
ALTER TABLE sample ADD COLUMN tags TEXT NOT NULL DEFAULT ',';
-- The strictest TLP that anybody says: 0 clear, 1 green, 2 amber, 3 amber+strict, 4 red.
ALTER TABLE sample ADD COLUMN tlp INTEGER;
ALTER TABLE sample ADD COLUMN threat TEXT;
-- Rules that hit it in any workspace, and comments of all workspaces.
ALTER TABLE sample ADD COLUMN hits INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sample ADD COLUMN comments INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sample ADD COLUMN has_note INTEGER NOT NULL DEFAULT 0;
-- Of a sample that should be in the vault: 'missing', 'altered'.
ALTER TABLE sample ADD COLUMN damage TEXT;

CREATE INDEX sample_by_last_seen ON sample (last_seen DESC, id DESC);
CREATE INDEX sample_by_first_seen ON sample (first_seen DESC, id DESC);
CREATE INDEX sample_by_size ON sample (size_bytes) WHERE size_bytes IS NOT NULL;
CREATE INDEX sample_by_tlp ON sample (tlp) WHERE tlp IS NOT NULL;
CREATE INDEX sample_by_hits ON sample (hits) WHERE hits > 0;
CREATE INDEX sample_by_comments ON sample (comments) WHERE comments > 0;
CREATE INDEX sample_with_note ON sample (id) WHERE has_note = 1;
CREATE INDEX sample_with_damage ON sample (id) WHERE damage IS NOT NULL;

-- What a person says of bytes on this desk, besides tags. They stay with the bytes, whatever row of the library these have.
CREATE TABLE sample_own (
  id INTEGER PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  note TEXT,
  note_changed TEXT,
  tlp TEXT
) STRICT;
-- The words of a note, under its id in sample_own.
CREATE VIRTUAL TABLE note_text USING fts5 (
  note, content = '', contentless_delete = 1, prefix = '2 3 4', tokenize = 'unicode61 remove_diacritics 2'
);

-- How bytes look: made when somebody looks, from the vault.
CREATE TABLE sample_look (
  sha256 TEXT PRIMARY KEY,
  type TEXT,
  strip TEXT
) STRICT, WITHOUT ROWID;

-- "sort" and "columns" are JSON.
CREATE TABLE saved_view (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  place REAL NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT NOT NULL,
  columns TEXT
) STRICT;

-- The last check of the whole vault.
CREATE TABLE vault_check (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  ended TEXT NOT NULL,
  samples INTEGER NOT NULL,
  missing INTEGER NOT NULL,
  altered INTEGER NOT NULL
) STRICT;
`;
