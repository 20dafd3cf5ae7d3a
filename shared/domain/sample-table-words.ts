import { defang } from './defang.ts';
import { visibleText } from './visible-text.ts';

const breaks = /[\t\n\u2028\u2029]/g;

/** Untrusted text as a person may read and paste it anywhere: on one line, nothing invisible in it, no address that could be followed. */
export const harmlessWords = (text: string): string => escaped(visibleText(defang(text.toWellFormed())), breaks);

/** Spells out what a pattern finds as visibleText does: `\u000a`. The pattern must be global and find single UTF-16 units. */
export function escaped(text: string, pattern: RegExp): string {
  return text.replace(pattern, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
