import { refang } from '../../../shared/domain/defang.ts';
import { unspelled } from '../../../shared/domain/visible-text.ts';

const mostWords = 16;
const longestWord = 128;
const letter = /[\p{L}\p{N}]/u;
const endsInTwoLetters = /[\p{L}\p{N}]{2}[^\p{L}\p{N}]*$/u;
/** Whether words may begin with the last of a phrase. A single letter left open would match most of the library. */
export const isLeftOpen = (phrase: string): boolean => endsInTwoLetters.test(phrase);

/**
 * A word between two values that are indexed together, which no query has in it: a phrase does not run from one into
 * the next.
 */
export const betweenValues = '\n\u{F8FF}\n';
const border = /\u{F8FF}/gu;

/**
 * What a person typed, as an FTS5 query that matches every word: each is quoted, so nothing in it is syntax
 * (https://sqlite.org/fts5.html, section 3). null when there is no word in it.
 */
export function searchExpression(text: string): string | null {
  const words = text.split(/[\s\p{Cc}"]+/u).filter((word) => letter.test(word));
  if (words.length === 0) return null;
  return words
    .slice(0, mostWords)
    .map((word) => quoted(word.slice(0, longestWord).toWellFormed()))
    .join(' ');
}

/** No word of an index leads to it. */
export const isWordless = (text: string): boolean => !letter.test(text);

/** The same for adjacent words, in their order. */
export function phraseExpression(text: string): string | null {
  const phrase = text
    .replaceAll(/[\p{Cc}"]+/gu, ' ')
    .replaceAll(border, ' ')
    .toWellFormed();
  return letter.test(phrase) ? quoted(phrase) : null;
}

/** What was typed may be a text as the page shows it, with an address defanged or a hidden character spelled out. */
export const meantTexts = (typed: string): string[] => [...new Set([typed, refang(unspelled(typed))])];

/** The same for any of these. */
export function shownPhraseExpression(typed: string): string | null {
  const phrases = meantTexts(typed)
    .map(phraseExpression)
    .filter((phrase) => phrase !== null);
  return phrases.length > 1 ? `(${phrases.join(' OR ')})` : (phrases[0] ?? null);
}

/** A text as it is indexed: no character of it is taken for a border. */
export const indexedText = (text: string): string => text.replaceAll(border, ' ');

const quoted = (text: string): string => (isLeftOpen(text) ? `"${text}"*` : `"${text}"`);
