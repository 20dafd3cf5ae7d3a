import { harmlessWords } from '../../../shared/domain/sample-table.ts';
import { harmlessText } from './case-words.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const encoded = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/**
 * Untrusted text as HTML, in an element or an attribute in quotes: on one line, nothing hidden in it, nothing to
 * follow.
 */
export const htmlLine = (text: string): string => encoded(harmlessWords(text));

/** The same of several lines. */
export const htmlText = (text: string): string => encoded(harmlessText(text));
