import { defang } from './defang.ts';
import { spelledOut, visibleLine } from './visible-text.ts';

/**
 * Untrusted text as a person may read and paste it anywhere: on one line, nothing invisible in it, no address that
 * could be followed.
 */
export const harmlessWords = (text: string): string => visibleLine(defang(text.toWellFormed()));

/** Spells out what a pattern finds as visibleText does: `\u000a`. The pattern must be global. */
export const escaped = (text: string, pattern: RegExp): string => text.replace(pattern, (found) => spelledOut(found));
