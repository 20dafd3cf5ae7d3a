-- Version 9: which records have comments that are not all written.

-- The comments of a long thread are written in steps behind their record, which holds all of them. What the end of the
-- program left is found here.
CREATE INDEX record_being_listed ON record (comments_mark, workspace_id, md5) WHERE comments_mark >= 'listing '
  AND comments_mark < 'listing!';
