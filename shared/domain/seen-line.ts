import { z } from 'zod';
import { visibleLine } from './visible-text.ts';

/** One line of whole characters that are all seen, and not of spaces alone. */
export const isSeenLine = (text: string): boolean =>
  text.isWellFormed() && visibleLine(text) === text && /[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** What a person types in a field of one line, and reads there again. `what` names it with its article: `a name`. */
export const seenLine = (what: string, most: number) =>
  z
    .string(what)
    .refine((text) => text.trim() !== '', { error: what, abort: true })
    .max(most, { error: () => `${what} of at most ${most.toLocaleString('en')} characters` })
    .refine(isSeenLine, `${what} on one line, of visible characters`);
