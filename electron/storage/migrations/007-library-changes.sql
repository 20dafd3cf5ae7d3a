-- Version 7: changes of many samples as jobs, and words that are to be indexed anew.

-- What a job that changes samples says besides its task, and how many of its samples are done.
CREATE TABLE library_change (
  job_id INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  note TEXT NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Its samples, numbered from 0; a part has those from "first" on: what each is known by, "width" bytes (32: a SHA-256,
-- 16: an MD5), one behind the other. Not by their rows: the number of a row that was forgotten may be given to another
-- sample. A part that is done is removed.
CREATE TABLE library_change_part (
  job_id INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
  first INTEGER NOT NULL,
  width INTEGER NOT NULL,
  hashes BLOB NOT NULL,
  PRIMARY KEY (job_id, first)
) STRICT;

-- The words of samples below this number have no border between two values, as version 5 left them: "IndexUpkeep" puts
-- them in anew. No row: none are left.
CREATE TABLE word_upkeep (
  below INTEGER NOT NULL
) STRICT;
INSERT INTO word_upkeep SELECT max(id) + 1 FROM sample HAVING max(id) IS NOT NULL;
