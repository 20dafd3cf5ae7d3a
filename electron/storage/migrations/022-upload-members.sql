-- Version 22: what is known of members of archives that were dropped, and how archives are to be opened.

-- JSON: what is unusual about an archive, or about a member.
ALTER TABLE upload_file ADD COLUMN remarks TEXT NOT NULL DEFAULT '[]';
-- Its number among the members of its archive, from 0; null of one that was taken out before this was kept.
ALTER TABLE upload_file ADD COLUMN member INTEGER;
-- Of an archive: how names that are no UTF-8 are read; null: guessed when it is opened.
ALTER TABLE upload_file ADD COLUMN name_encoding TEXT;
-- Whether it is opened if it is an archive: 'once', 'each' or 'never'.
ALTER TABLE upload_file ADD COLUMN opens TEXT NOT NULL DEFAULT 'once';
