import type { LibraryRow } from '../../../shared/domain/library.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../components/middle-cut.ts';

/** In characters. */
const longestName = 40;
const shownDigits = 12;

/** What a sample is called in a sentence: its name, else how its hash begins. */
export function shownName({ name, hash }: Pick<LibraryRow, 'name' | 'hash'>): string {
  return name === null || name === '' ? hash.slice(0, shownDigits) : visibleText(cutMiddle(name, longestName));
}
