const mostWords = 16;
const longestWord = 128;
/** A single letter left open would match most of the library. */
const endsInTwoLetters = /[\p{L}\p{N}]{2}[^\p{L}\p{N}]*$/u;

/**
 * What a person typed, as an FTS5 query that matches every word: each is quoted, so nothing in it is syntax
 * (https://sqlite.org/fts5.html, section 3). null when there is no word in it.
 */
export function searchExpression(text: string): string | null {
  const words = text.split(/[\s\p{Cc}"]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length === 0) return null;
  return words.slice(0, mostWords).map(quoted).join(' ');
}

function quoted(word: string): string {
  const cut = word.slice(0, longestWord).toWellFormed();
  return endsInTwoLetters.test(cut) ? `"${cut}"*` : `"${cut}"`;
}
