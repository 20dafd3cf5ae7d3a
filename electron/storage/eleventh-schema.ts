const bytesAPage = 500;

/**
 * Version 11: smaller pages for the words of samples, comments and notes. FTS5 merges so many pages at a time, and finds a word in a page by reading it from its beginning: with an eighth of its usual 4050
 * bytes the longest commit of many is a third as long, and the latest of a frequent word are found in a third of the time
 * (https://sqlite.org/fts5.html, section 6.8). Pages that are there stay as they are until they are merged.
 */
export const eleventhSchema = ['sample_text', 'comment_text', 'note_text'].map((index) => `INSERT INTO ${index} (${index}, rank) VALUES ('pgsz', ${bytesAPage});`).join('\n');
