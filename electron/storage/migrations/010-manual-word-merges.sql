-- Version 10: SQLite no longer merges the words of samples and comments by itself. Version 12 takes this back.

-- By itself SQLite merged words in whichever commit came to it, some hundred pages at once, and the host stood still
-- for as long. Pieces of like size are merged when there are eight: of four it was twice the work, and no search was
-- quicker for it (https://sqlite.org/fts5.html, sections 6.1 and 6.11).
INSERT INTO sample_text (sample_text, rank) VALUES ('automerge', 0), ('usermerge', 8);
INSERT INTO comment_text (comment_text, rank) VALUES ('automerge', 0), ('usermerge', 8);
