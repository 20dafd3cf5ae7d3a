import { Buffer } from 'node:buffer';
import { mostMatchData } from '../../../shared/domain/scan.ts';
import { boundedText, type Rewrite } from './bounded-text.ts';

/**
 * What a string matched, as the service wrote it. `open`: it may be hexadecimal digits, and may be text that looks like
 * them.
 */
export interface MatchData {
  text: string;
  form: 'hex' | 'text' | 'open';
}

/** `length`: of the match in bytes, as far as the service says it. `named`: what the name of the member says. */
export function matchData(text: string, length: number | null, named: MatchData['form'] = 'open'): MatchData {
  if (named === 'text' || !isHex(text)) return { text, form: 'text' };
  if (named === 'hex' || (length !== null && text.length === 2 * length)) return { text, form: 'hex' };
  // Digits are bytes in ASCII: each of them is one.
  return { text, form: text.length === length ? 'text' : 'open' };
}

/**
 * How a service writes what nothing else tells: in one way throughout a reply. As hexadecimal digits, when nothing in
 * it is text, and something is surely hexadecimal, has a letter among its digits, or stands for printable characters:
 * else it is a number in a text.
 */
export function openForm(all: Iterable<MatchData>): 'hex' | 'text' {
  let hasSign = false;
  for (const { text, form } of all) {
    if (form === 'text' && text !== '') return 'text';
    hasSign ||= form === 'hex' || /[a-f]/i.test(text) || /^(?:[2-7]\d){2,}$/.test(text);
  }
  return hasSign ? 'hex' : 'text';
}

/** Its first bytes as lower-case hexadecimal digits; null for digits in which something had to be hidden. */
export function dataDigits({ text, form }: MatchData, open: 'hex' | 'text', rewrite: Rewrite): string | null {
  const characters = 2 * mostMatchData;
  const shown = boundedText(text, characters, rewrite);
  if ((form === 'open' ? open : form) === 'text') return Buffer.from(shown).subarray(0, mostMatchData).toString('hex');
  return isHex(shown) ? shown.toLowerCase() : null;
}

/** In one case: nobody writes digits in both. */
const isHex = (text: string): boolean => text.length % 2 === 0 && /^(?:[\da-f]*|[\dA-F]*)$/.test(text);
