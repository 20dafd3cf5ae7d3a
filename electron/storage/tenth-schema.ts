/** Version 10: SQLite merges the words of samples and comments no more by itself. Version 12 takes it back. */
export const tenthSchema = `
-- SQLite merged words automatically in some commit, a few hundred pages at once, and blocked the host meanwhile. Pieces of like size are
-- merged when there are eight: of four it was twice the work, and no search was quicker for it (https://sqlite.org/fts5.html, sections 6.1 and 6.11).
INSERT INTO sample_text (sample_text, rank) VALUES ('automerge', 0), ('usermerge', 8);
INSERT INTO comment_text (comment_text, rank) VALUES ('automerge', 0), ('usermerge', 8);
`;
