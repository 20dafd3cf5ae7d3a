const bytesAPage = 500;

/**
 * Version 12: smaller pages for the words of samples, comments and notes, and SQLite merges them by itself again:
 * merged behind what wrote them, the first change after many words stood still for half a second and more. It merges so
 * many pages at a time, and finds a word in a page by reading it from its beginning: with an eighth of the usual 4050
 * bytes the longest commit of many is a third as long, and the latest of a frequent word are found in a third of the
 * time (https://sqlite.org/fts5.html, sections 6.1, 6.8 and 6.11). Pages that are there stay as they are until they are
 * merged.
 */
export const twelfthSchema = ['sample_text', 'comment_text', 'note_text']
  .map(
    (index) =>
      `INSERT INTO ${index} (${index}, rank) VALUES ('pgsz', ${bytesAPage}), ('automerge', 4), ('usermerge', 4);`,
  )
  .join('\n');
